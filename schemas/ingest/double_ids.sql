-- Ids that are stored more than once, which the hot path cannot see when their times differ by days. Only what came since the
-- last look can be new; the first delivery stays.
create or replace temp table double_ids as
select tenant, event_id, arg_min(batch, (batch, ordinal)) as first_batch, arg_min(ordinal, (batch, ordinal)) as first_ordinal
from ingest.events
where event_id in (select event_id from ingest.events where batch > $since)
group by tenant, event_id
having count(*) > 1
