-- The four faults of a passage as shares, by the formula of relevance_daily over the same cells (schemas/reference/wilson).
with cell as (
  select environment, scope.tenant, slice, value, measure.fault as fault, judge, model, rubric_version,
    frame_size::double as stratum, sample_size::double as drawn, frame_size / sample_size as weight,
    retrievals, passages, hits, passages_squared, hits_squared, hits_passages, missing, pending
  from marts.relevance_strata as strata
  join (values ('fault_ok', 'ok'), ('fault_query', 'query'), ('fault_retriever', 'retriever'), ('fault_lucky', 'lucky')) as measure (measure, fault)
    using (measure),
  lateral (values (strata.tenant), ('*')) as scope (tenant)
  where strata.day between $first_day and $last_day
),
ratio as (
  select environment, tenant, slice, value, fault,
    if(count(distinct judge) = 1, min(judge), 'several') as judge,
    if(count(distinct model) = 1, min(model), 'several') as model,
    if(count(distinct rubric_version) = 1, min(rubric_version), 'several') as rubric_version,
    sum(passages)::bigint as passages, sum(retrievals)::bigint as retrievals, sum(hits)::bigint as hits,
    sum(pending)::bigint as pending,
    sum(weight * hits) as weighted_hits, sum(weight * passages) as weighted_passages, sum(weight * missing) as weighted_missing,
    sum(weight * hits) / nullif(sum(weight * passages), 0) as rate,
    reference.rate_variance(
      sum(weight * hits) / nullif(sum(weight * passages), 0),
      sum(reference.rate_spread(stratum, drawn, hits_squared, hits, hits)),
      sum(reference.rate_spread(stratum, drawn, hits_passages, hits, passages)),
      sum(reference.rate_spread(stratum, drawn, passages_squared, passages, passages)),
      sum(weight * passages)
    ) as variance,
    reference.rate_degrees(sum(retrievals), count_if(retrievals > 1), count_if(retrievals = 1)) as degrees
  from cell
  group by all
),
effective as (
  select *, reference.rate_effective(rate, variance, passages) as effective_n, reference.t_of(degrees) as t from ratio
)
select $last_day as day, environment, tenant, slice, value, fault,
  if(pending > 0, null, round(rate, 9)) as rate,
  if(pending > 0, null, round(reference.wilson_low(rate, effective_n, t), 9)) as low,
  if(pending > 0, null, round(reference.wilson_high(rate, effective_n, t), 9)) as high,
  passages, retrievals, round(effective_n, 6) as effective_n, hits,
  round(weighted_passages / (weighted_passages + weighted_missing), 9) as coverage,
  round(weighted_hits / (weighted_passages + weighted_missing), 9) as best,
  round((weighted_hits + weighted_missing) / (weighted_passages + weighted_missing), 9) as worst,
  pending, '1' as metric_version, judge, model, rubric_version
from effective
order by all
