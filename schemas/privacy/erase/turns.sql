create or replace temp table erasing_turns as
select turn_id from canonical.turns where tenant = $tenant and event_id in (select event_id from erasing_events)
