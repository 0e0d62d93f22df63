-- A ratio estimate over strata, clustered by retrieval, with a Wilson interval on the effective sample size and a quantile of
-- Student's t. Several days are one union of strata, so a range is the same formula.
with cell as (
  select strata.day, environment, scope.tenant, slice, value, measure, judge, model, rubric_version,
    frame_size::double as stratum, sample_size::double as drawn, frame_size / sample_size as weight,
    retrievals, passages, hits, passages_squared, hits_squared, hits_passages, missing, pending
  from marts.relevance_strata as strata, lateral (values (strata.tenant), ('*')) as scope (tenant)
  where strata.day between $first_day and $last_day and measure in ('irrelevant_query', 'irrelevant_need')
),
ratio as (
  select environment, tenant, slice, value, measure,
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
),
published as (
  select $last_day as day, environment, tenant, slice, value, measure,
    if(pending > 0, null, round(rate, 9)) as rate,
    if(pending > 0, null, round(reference.wilson_low(rate, effective_n, t), 9)) as low,
    if(pending > 0, null, round(reference.wilson_high(rate, effective_n, t), 9)) as high,
    passages, retrievals, round(effective_n, 6) as effective_n, hits,
    round(weighted_passages / (weighted_passages + weighted_missing), 9) as coverage,
    round(weighted_hits / (weighted_passages + weighted_missing), 9) as best,
    round((weighted_hits + weighted_missing) / (weighted_passages + weighted_missing), 9) as worst,
    pending, '1' as metric_version, judge, model, rubric_version
  from effective
)
select published.*,
  if(rate is null or error.shift is null, null, round(least(greatest(rate + error.shift, 0), 1), 9)) as corrected,
  -- the two intervals joined end by end (Zou and Donner 2008), so that a rate near 0 keeps its lopsided one
  if(low is null or error.shift is null, null, round(least(greatest(rate + error.shift
    - sqrt(pow(rate - low, 2) + pow(1.959963984540054 * error.shift_se, 2)), 0), 1), 9)) as corrected_low,
  if(high is null or error.shift is null, null, round(least(greatest(rate + error.shift
    + sqrt(pow(high - rate, 2) + pow(1.959963984540054 * error.shift_se, 2)), 0), 1), 9)) as corrected_high
from published
left join night.judge_errors as error using (measure, judge, model, rubric_version)
order by all
