insert or replace into night.verdicts by name select * from new_verdicts
