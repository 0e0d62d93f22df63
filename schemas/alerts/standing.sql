-- Rises that still stand on the newest night that found something: one of a day without traffic recovers nothing.
select * from alerts.alerts
where ended is null and not instrument_moved and last_day = (
  select coalesce(max(day) filter (frame_size > 0), max(day)) from night.nights where published
)
order by rule, part desc nulls last, since, tenant, kind, cell
