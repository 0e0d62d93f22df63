-- Events are known to be missing: numbers that never came, or drops that a client reported.
select environment, tenant, producer_id, gaps, loss_rate, reported_drops from marts.loss_daily
where day = $day and producer_id <> '*' and (gaps > 0 or reported_drops > 0)
order by gaps desc
