select environment, tenant, kind, position, count(*) as frame_size
from frame
group by all
order by all
