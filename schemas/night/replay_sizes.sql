select environment, tenant, sum(turns)::bigint as turns from replay_frame group by all order by all
