delete from alerts.charted
