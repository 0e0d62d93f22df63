-- A notice on all tenants names its worst of whichever tenant. Notices of before have the ids alone.
update alerts.notices
set worst = list_filter(worst, lambda retrieval: not list_contains([$tenant || '/' || erased for erased in $retrievals::varchar[]] || $retrievals::varchar[], retrieval))
where list_contains(tenants, $tenant) or list_contains(tenants, '*')
