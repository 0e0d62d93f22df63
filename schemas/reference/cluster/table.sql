create schema if not exists reference;
-- A share of units that come in clusters (turns in conversations): n of total have it. Per cluster, m units of which y have it; the arguments are
-- sums over all clusters of the slice, those with y = 0 too, of y * y, y * m and m * m. A ratio estimate between clusters (Cochran, Sampling
-- Techniques, 6.4); the interval is wilson_low(rate, cluster_effective(…), t_of(clusters - 1)), null for a single cluster. Without any spread
-- between clusters each unit counts.
create or replace macro reference.cluster_variance(rate, clusters, y_squared, y_m, m_squared, total) as
  clusters / nullif(clusters - 1, 0) * greatest(y_squared - 2 * rate * y_m + rate * rate * m_squared, 0) / (total::double * total);
create or replace macro reference.cluster_effective(rate, variance, clusters, total) as
  case
    when clusters < 2 then null
    when variance <= 1e-15 or rate <= 0 or rate >= 1 then total::double
    else least(rate * (1 - rate) / variance, total)
  end;
