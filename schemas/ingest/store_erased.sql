-- What came of someone who was erased is not stored; its numbers are, or their absence would look like a loss.
insert into privacy.erased_numbers by name
select tenant, environment, sha256(concat_ws(chr(31), settings.value, tenant, 'producer', producer_id)) as producer, sequence, days.day
from batch_events join batch_fates using (place) join batch_days as days using (place), ops.settings as settings
where settings.name = 'erasure_salt' and fate = 'erased' and sequence is not null
order by place
