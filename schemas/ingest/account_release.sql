-- The records were consumed, and counted as quarantined, when they first came.
update ingest.batches
set consumed = consumed - $released, quarantined = quarantined - $released
where batch = (select max(batch) from ingest.batches)
