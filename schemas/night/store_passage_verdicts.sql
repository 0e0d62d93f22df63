-- As with the verdicts that they belong to.
insert or replace into night.passage_verdicts by name
select new_passage_verdicts.*
from new_passage_verdicts
semi join (select tenant, verdict_key from night.sample where day = $day) as drawn using (tenant, verdict_key)
