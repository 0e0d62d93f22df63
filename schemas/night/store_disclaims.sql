insert into night.disclaims by name select $day as day, environment, tenant, event_id::uuid as event_id, disclaimed, language, phrase from new_disclaims order by all
