create schema if not exists reference;
-- The published rate, as pipelines/sampling/rate.py has it. A cell is a stratum (N in the frame, n drawn) on one day; y and m are sums over
-- its drawn retrievals of irrelevant and of judged passages within the slice, yy, ym and mm of their products. For a slice, over its cells:
--   rate      = sum(N / n * y) / nullif(sum(N / n * m), 0)
--   variance  = rate_variance(rate, sum(rate_spread(N, n, yy, y, y)), sum(rate_spread(N, n, ym, y, m)), sum(rate_spread(N, n, mm, m, m)), sum(N / n * m))
--   degrees   = rate_degrees(sum(retrievals), count_if(retrievals > 1), count_if(retrievals = 1)), retrievals being those with a judged passage
--   effective = rate_effective(rate, variance, sum(m))
--   interval  = wilson_low(rate, effective, t_of(degrees)), wilson_high(…); null where one cannot be known
create or replace macro reference.rate_spread(frame_size, drawn, products, sum_a, sum_b) as
  case when drawn > 1 then frame_size * frame_size / (drawn * (drawn - 1.0)) * (products - sum_a * sum_b / drawn) else frame_size * frame_size * products end;
create or replace macro reference.rate_variance(rate, of_yy, of_ym, of_mm, weighted_passages) as
  case when rate is not null
    then greatest((of_yy - 2 * rate * of_ym + rate * rate * of_mm) / (weighted_passages * weighted_passages), 0) end;
create or replace macro reference.rate_degrees(retrievals, cells_of_many, cells_of_one) as
  retrievals - cells_of_many - least(cells_of_one, 1);
create or replace macro reference.rate_effective(rate, variance, passages) as
  case
    when rate is null then null
    when variance > 1e-12 and rate > 0 and rate < 1 then least(rate * (1 - rate) / variance, passages)
    else passages / 1.8
  end;
create or replace macro reference.t_of(degrees) as
  (select arg_max(known.quantile, known.df) from reference.t_quantile as known where known.df <= degrees);
-- greatest and least skip nulls, so null is asked for first
create or replace macro reference.wilson_low(rate, n, t) as
  case when rate is null or n is null or t is null then null
    else greatest((rate + t * t / (2 * n) - t * sqrt(rate * (1 - rate) / n + t * t / (4 * n * n))) / (1 + t * t / n), 0) end;
create or replace macro reference.wilson_high(rate, n, t) as
  case when rate is null or n is null or t is null then null
    else least((rate + t * t / (2 * n) + t * sqrt(rate * (1 - rate) / n + t * t / (4 * n * n))) / (1 + t * t / n), 1) end;
