insert or replace into night.anchor_verdicts by name select * from new_anchor_verdicts order by all
