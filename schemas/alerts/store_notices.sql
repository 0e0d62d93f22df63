insert into alerts.notices by name select *, null::timestamptz as delivered_at from new_notices order by day, notice_id
