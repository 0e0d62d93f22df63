-- The rejected records that name somebody whose tombstone is here; what is delivered again is not quarantined again.
select distinct named.place
from batch_named as named
cross join (select value as salt from ops.settings where name = 'erasure_salt') as settings
join privacy.tombstones as stone
  on stone.tenant = named.tenant
  and stone.kind = named.kind
  and stone.digest = sha256(concat_ws(chr(31), settings.salt, named.tenant, named.kind, named.id))
order by named.place
