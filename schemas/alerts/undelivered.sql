-- Old news pages no one: only a rise that still stands on the newest night is delivered.
select * from alerts.alerts
where delivered_at is null and last_day = (select max(day) from night.nights where published)
order by since, tenant, slice, value
