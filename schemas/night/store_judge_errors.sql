insert or replace into night.judge_errors by name select * from new_judge_errors
