-- Rises that still stand on the newest night.
select * from alerts.alerts
where ended is null and not instrument_moved and last_day = (select max(day) from night.nights where published)
order by rule, part desc nulls last, since, tenant, kind, cell
