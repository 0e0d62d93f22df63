-- A record that was read again from the same place with the same bytes is one that is here already.
insert into ingest.quarantine by name
select partition, "offset", $batch as batch, reason, path, message, digest, raw, $at as quarantined_at
from batch_rejections as incoming
where incoming.place not in (select place from batch_forgotten)
  and not exists (
    from ingest.quarantine as waiting
    where waiting.partition = incoming.partition and waiting."offset" = incoming."offset" and waiting.digest = incoming.digest
  )
