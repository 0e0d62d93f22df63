-- For tenants whose charts are still learning: a slice alarms on a night when the whole interval of its rate lies above the rate of the nights before by a fifth and two points.
-- Consecutive alarming nights are one rise. Needs five nights before, and thirty judged passages on the night itself.
with weighted as (
  -- weighted to all retrievals, as the rate itself is: strata are not drawn in proportion
  select day, environment, tenant, slice, value,
    sum(frame_size / sample_size * hits) as hits, sum(frame_size / sample_size * passages) as passages
  from marts.relevance_strata
  where measure = 'irrelevant_need'
  group by all
),
rate as (
  select day, environment, tenant, slice, value, rate, low, high, daily.passages,
    weighted.hits as weighted_hits, weighted.passages as weighted_passages,
    concat_ws(chr(31), judge, model, rubric_version, metric_version) as instrument
  from marts.relevance_daily as daily
  join weighted using (day, environment, tenant, slice, value)
  where measure = 'irrelevant_need' and tenant <> '*' and slice in ('all', 'kind') and daily.passages > 0
),
fault as (
  select day, environment, tenant, slice, value,
    max(rate) filter (fault = 'query') as query_rate, max(rate) filter (fault = 'retriever') as retriever_rate
  from marts.fault_daily
  group by all
),
compared as (
  select rate.*, query_rate, retriever_rate,
    row_number() over series as night,
    sum(weighted_hits) over before / sum(weighted_passages) over before as rate_before,
    count(*) over before as nights_before,
    avg(query_rate) over before as query_before,
    avg(retriever_rate) over before as retriever_before
  from rate
  join fault using (day, environment, tenant, slice, value)
  -- another judge or another definition is another series: it starts anew
  window series as (partition by environment, tenant, slice, value, instrument order by day),
    before as (partition by environment, tenant, slice, value, instrument order by day rows between 28 preceding and 1 preceding)
),
alarming as (
  select *, night - row_number() over (partition by environment, tenant, slice, value, instrument order by day) as rise
  from compared
  where nights_before >= 5 and passages >= 30 and low > rate_before * 1.2 + 0.02
    and not exists (
      from alerts.charts as chart
      where chart.day = compared.day and chart.environment = compared.environment and chart.tenant = compared.tenant
        and chart.state <> 'learning'
    )
),
risen as (
  select environment, tenant, slice, value, min(day) as since, max(day) as last_day,
    arg_max(rate, day) as rate, arg_max(low, day) as low, arg_max(high, day) as high,
    arg_min(rate_before, day) as rate_before, arg_min(nights_before, day)::integer as nights_before,
    if(arg_max(query_rate, day) - arg_min(query_before, day) > arg_max(retriever_rate, day) - arg_min(retriever_before, day),
      'query', 'retriever') as fault,
    coalesce(bool_and(instrument_moved), false) as instrument_moved
  from alarming
  left join (select day, environment, instrument_moved from alerts.charted) using (day, environment)
  group by environment, tenant, slice, value, instrument, rise
)
select sha256(concat_ws(chr(31), 'threshold', environment, tenant, slice, value, since))[:16] as alert_id, 'threshold' as rule,
  environment, tenant, if(slice = 'kind', value, '*') as kind, '*' as cell, since as opened, since, last_day,
  if(last_day = reference.newest_night(), null, 'faded') as ended, instrument_moved,
  null::double as part, rate, low, high, rate_before, null::double as low_before, null::double as high_before, nights_before, fault,
  coalesce((
    select list(worst.tenant || '/' || retrieval_id order by place)[:5] from marts.worst_retrievals as worst
    where worst.day = risen.last_day and worst.environment = risen.environment and worst.tenant = risen.tenant
  ), []) as worst
from risen
order by all
