-- Rises that still stand on the newest night.
select * from alerts.alerts
where ended is null and not instrument_moved and last_day = reference.newest_night()
order by rule, part desc nulls last, since, tenant, kind, cell
