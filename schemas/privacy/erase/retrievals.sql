create or replace temp table erasing_retrievals as
select retrieval_id from canonical.retrievals where tenant = $tenant and event_id in (select event_id from erasing_events)
