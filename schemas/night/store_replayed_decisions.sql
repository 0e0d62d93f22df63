insert into night.replayed_decisions by name
select $day as day, * replace (event_id::uuid as event_id), $gate_version as gate_version from new_replayed_decisions
