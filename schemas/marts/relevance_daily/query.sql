-- A ratio estimate over strata, clustered by retrieval, with a Wilson interval on the effective sample size and a quantile of
-- Student's t. Several days are one union of strata, so a range is the same formula.
with cell as (
  select strata.day, environment, scope.tenant, slice, value, measure, judge, model, rubric_version,
    frame_size::double as stratum, sample_size::double as drawn, frame_size / sample_size as weight,
    retrievals, passages, hits, passages_squared, hits_squared, hits_passages, missing, pending
  from marts.relevance_strata as strata, lateral (values (strata.tenant), ('*')) as scope (tenant)
  where strata.day between $first_day and $last_day
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
    sum(drawn) - count(*) as df
  from cell
  group by all
),
spread as (
  select environment, tenant, slice, value, measure,
    sum(
      stratum * stratum / drawn * if(
        drawn > 1,
        greatest(hits_squared - 2 * rate * hits_passages + rate * rate * passages_squared
          - (hits - rate * cell.passages) * (hits - rate * cell.passages) / drawn, 0) / (drawn - 1),
        -- a stratum of one says nothing about its own spread: it is centred at the whole
        (hits - rate * cell.passages) * (hits - rate * cell.passages)
      )
    ) / (any_value(weighted_passages) * any_value(weighted_passages)) as variance
  from (select * exclude (judge, model, rubric_version) from cell) as cell
  join (select environment, tenant, slice, value, measure, rate, weighted_passages from ratio) using (environment, tenant, slice, value, measure)
  group by all
),
effective as (
  select ratio.*, spread.variance,
    case
      when passages = 0 or df < 1 then null
      -- nothing varies: the sample is worth what its clustering typically leaves
      when variance <= 1e-15 or rate <= 0 or rate >= 1 then passages / 1.8
      else least(rate * (1 - rate) / variance, passages)
    end as effective_n,
    quantiles.quantile as t
  from ratio
  join spread using (environment, tenant, slice, value, measure)
  asof left join reference.t_quantile as quantiles on ratio.df >= quantiles.df
)
select $last_day as day, environment, tenant, slice, value, measure,
  if(pending > 0, null, round(rate, 9)) as rate,
  if(pending > 0, null, round(greatest(0, (rate + t * t / (2 * effective_n)
    - t * sqrt(greatest(rate * (1 - rate), 0) / effective_n + t * t / (4 * effective_n * effective_n))) / (1 + t * t / effective_n)), 9)) as low,
  if(pending > 0, null, round(least(1, (rate + t * t / (2 * effective_n)
    + t * sqrt(greatest(rate * (1 - rate), 0) / effective_n + t * t / (4 * effective_n * effective_n))) / (1 + t * t / effective_n)), 9)) as high,
  passages, retrievals, round(effective_n, 6) as effective_n, hits,
  round(weighted_passages / (weighted_passages + weighted_missing), 9) as coverage,
  round(weighted_hits / (weighted_passages + weighted_missing), 9) as best,
  round((weighted_hits + weighted_missing) / (weighted_passages + weighted_missing), 9) as worst,
  pending, '1' as metric_version, judge, model, rubric_version
from effective
order by all
