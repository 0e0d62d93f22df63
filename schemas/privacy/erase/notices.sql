-- Retrievals of one tenant alone stand in a notice on it; one on all tenants names its worst of whichever tenant.
update alerts.notices
set worst = list_filter(worst, lambda retrieval: not list_contains($retrievals::varchar[], retrieval))
where list_contains(tenants, $tenant) or list_contains(tenants, '*')
