delete from alerts.instruments
