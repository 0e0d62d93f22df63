-- How many events each day loses, in the days of the warehouse.
select day, count(*) as events
from (
  select day, tenant, event_id from canonical.turns
  union all select day, tenant, event_id from canonical.retrievals
  union all select day, tenant, event_id from canonical.model_calls
  union all select day, tenant, event_id from canonical.page_views
  union all select day, tenant, event_id from canonical.interactions
  union all select day, tenant, event_id from canonical.conversions
  union all select day, tenant, event_id from canonical.exposures
)
where tenant = $tenant and event_id in (select event_id from erasing_events)
group by day
order by day
