insert into ingest.batches by name
select $batch as batch, $source as source, $at as committed_at, $consumed as consumed, $stored as stored, $duplicates as duplicates,
  $conflicts as conflicts, $quarantined as quarantined, $erased as erased
