-- What is no longer noted as summed is summed again before the charts are drawn next.
delete from alerts.summed_nights where list_contains($days::date[], day)
