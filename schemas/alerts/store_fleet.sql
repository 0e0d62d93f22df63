insert into alerts.alerts by name
select found.*,
  coalesce((
    select list(worst.tenant || '/' || retrieval_id order by irrelevant / judged desc, irrelevant desc, day desc, worst.tenant, place)[:5]
    from marts.worst_retrievals as worst
    where worst.day between found.last_day - 6 and found.last_day and worst.environment = found.environment
      and found.tenant in ('*', worst.tenant)
      and (found.kind = '*' or list_contains([passage.kind for passage in worst.passages], found.kind))
  ), []) as worst
from found_alerts as found
order by all
