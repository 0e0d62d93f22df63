-- Verdicts are found by a digest of what was judged; those that no drawn retrieval of the tenant points to any more may be the visitor's.
delete from night.verdicts
where tenant = $tenant
  and verdict_key not in (select verdict_key from night.sample where tenant = $tenant and verdict_key is not null)
