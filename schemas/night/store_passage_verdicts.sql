insert or replace into night.passage_verdicts by name select * from new_passage_verdicts
