-- Only on what is frozen still: an erasure may have taken it out while the judge was asked.
insert or replace into night.anchor_verdicts by name
select new_anchor_verdicts.*
from new_anchor_verdicts
semi join night.anchors using (tenant, retrieval_id)
order by all
