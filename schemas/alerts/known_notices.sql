select notice_id, rule, environment, what, day, due from alerts.notices order by day, notice_id
