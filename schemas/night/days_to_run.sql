-- Days that have events and no finished night, or events that came after it; and later days of conversations to which a turn came late,
-- because the judge and the replayed gate read what was said before. A late retrieval concerns its own day alone.
with touched as (
  select day, max(batch) as last_batch from ingest.batch_days group by day
),
night as (
  from night.nights where published and day between $first and $last
),
overtaken as (
  select night.day, night.environments, late.day as late_day, late.batch
  from night
  join ingest.batch_days as late
    on late.day between night.day - reference.days_back() and night.day - 1 and late.batch > night.watermark
),
late as (
  select distinct turn.day, turn.environment, turn.tenant, turn.conversation_id, event.batch
  from ingest.events as event
  join canonical.turns as turn using (tenant, event_id)
  where event.event_type = 'turn' and event.batch in (select batch from overtaken) and turn.day in (select late_day from overtaken)
),
reached as (
  select distinct overtaken.day, late.environment, late.tenant, late.conversation_id
  from overtaken
  join late on late.day = overtaken.late_day and late.batch = overtaken.batch and list_contains(overtaken.environments, late.environment)
)
select day
from touched
left join night using (day)
where day between $first and $last and (night.day is null or last_batch > night.watermark)
union
select day from reached semi join canonical.turns as turn using (day, environment, tenant, conversation_id)
union
select day from reached semi join canonical.retrievals as retrieval using (day, environment, tenant, conversation_id)
order by day
