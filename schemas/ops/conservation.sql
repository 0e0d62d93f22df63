-- consumed = stored + duplicates + conflicts + quarantined + erased, by the ledger and by what is really there.
select
  coalesce(sum(consumed), 0)::bigint as consumed,
  coalesce(sum(stored), 0)::bigint as stored,
  coalesce(sum(duplicates), 0)::bigint as duplicates,
  coalesce(sum(conflicts), 0)::bigint as conflicts,
  coalesce(sum(quarantined), 0)::bigint as quarantined,
  coalesce(sum(erased), 0)::bigint as erased,
  (select count(*) from ingest.events) as events_in_log,
  (select count(*) from ingest.conflicts) as conflicts_kept,
  (select count(*) from ingest.quarantine where released_by is null) as records_in_quarantine,
  (select count(*) from canonical.turns) + (select count(*) from canonical.retrievals) + (select count(*) from canonical.model_calls)
    + (select count(*) from canonical.page_views) + (select count(*) from canonical.interactions)
    + (select count(*) from canonical.conversions) + (select count(*) from canonical.exposures) as events_projected
from ingest.batches
