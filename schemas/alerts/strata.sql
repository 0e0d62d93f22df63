-- Sizes of the leaves; the parts of mixed retrievals are as many as those.
select day, environment, tenant, kind, position, frame_size, sample_size from night.strata
union all
select day, environment, tenant, 'mixed:' || part.kind, position, frame_size, sample_size
from night.strata, (values ('conversation'), ('document'), ('graph')) as part (kind)
where strata.kind = 'mixed'
order by all
