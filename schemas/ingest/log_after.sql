select batch, ordinal, raw
from ingest.events
where (batch = $batch and ordinal > $ordinal) or batch > $batch
order by batch, ordinal
limit $rows
