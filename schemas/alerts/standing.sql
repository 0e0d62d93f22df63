-- Rises that still stand on the newest night.
select * from alerts.alerts
where last_day = (select max(day) from night.nights where published)
order by since, tenant, slice, value
