-- Published rates corrected for the judge's errors stand beside the raw ones; empty until the day is made again.
alter table if exists marts.relevance_daily add column if not exists corrected double;
alter table if exists marts.relevance_daily add column if not exists corrected_low double;
alter table if exists marts.relevance_daily add column if not exists corrected_high double;
