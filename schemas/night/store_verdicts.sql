-- Only on what is drawn still: a visitor may have been erased while the judge was asked.
insert or replace into night.verdicts by name
select new_verdicts.*
from new_verdicts
semi join (select tenant, verdict_key from night.sample where day = $day) as drawn using (tenant, verdict_key)
