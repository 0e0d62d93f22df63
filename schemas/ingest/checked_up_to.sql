select coalesce((select value::bigint from ops.settings where name = 'checked_up_to'), 0)
