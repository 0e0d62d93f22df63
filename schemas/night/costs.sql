-- What became of the sample of a day and what its verdicts took. A verdict that was known from an earlier run was paid for then.
select coalesce(verdict.status, 'not asked') as status, count(*) as retrievals, coalesce(sum(verdict.calls), 0)::bigint as calls,
  coalesce(sum(verdict.prompt_tokens), 0)::bigint as prompt_tokens, coalesce(sum(verdict.cached_tokens), 0)::bigint as cached_tokens,
  coalesce(sum(verdict.completion_tokens), 0)::bigint as completion_tokens
from night.sample as sample
left join night.verdicts as verdict using (tenant, verdict_key)
where sample.day = $day and sample.environment = $environment
group by all
order by retrievals desc, status
