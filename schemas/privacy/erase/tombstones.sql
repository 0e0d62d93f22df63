insert or ignore into privacy.tombstones by name
with salt as (select value as salt from ops.settings where name = 'erasure_salt'),
stones as (
  select 'visitor' as kind, $visitor as id
  union all select 'conversation', conversation_id from erasing_conversations
  union all select 'event', event_id::varchar from erasing_events where is_nameless
)
select $tenant as tenant, kind, sha256(concat_ws(chr(31), salt, $tenant, kind, id)) as digest, $at as erased_at
from stones, salt
