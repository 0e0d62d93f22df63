delete from night.passage_verdicts
where tenant = $tenant
  and verdict_key not in (select verdict_key from night.sample where tenant = $tenant and verdict_key is not null)
