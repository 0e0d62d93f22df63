-- A notice on all tenants names its worst of whichever tenant.
update alerts.notices
set worst = list_filter(worst, lambda retrieval: not list_contains([$tenant || '/' || erased for erased in $retrievals::varchar[]], retrieval))
where list_contains(tenants, $tenant) or list_contains(tenants, '*')
