update experiments.run_items
set relevant = list_filter(relevant, lambda passage: not list_contains($passages::varchar[], passage))
where list_has_any(relevant, $passages::varchar[]) and tenant = $tenant
