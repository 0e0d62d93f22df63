delete from alerts.leaves where list_contains($days::date[], day)
