insert into alerts.alerts by name
select found.*,
  coalesce((
    select list(worst.tenant || '/' || retrieval_id order by irrelevant / judged desc, irrelevant desc, day desc, worst.tenant, place)[:5]
    from marts.worst_retrievals as worst
    left join night.sample as sample using (day, environment, tenant, retrieval_id)
    where worst.day between found.last_day - 6 and found.last_day and worst.environment = found.environment
      and found.tenant in ('*', worst.tenant)
      and (found.kind = '*' or list_bool_or([passage.kind = found.kind and passage.need_grade = 0 for passage in worst.passages]))
      and case found.cell
        when '*' then true
        when 'as_typed' then sample.position in ('first', 'later_as_typed')
        when 'later' then sample.position in ('later_as_typed', 'combined')
        else sample.position = found.cell
      end
  ), []) as worst
from found_alerts as found
order by all
