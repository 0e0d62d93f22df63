update alerts.alerts
set worst = list_filter(worst, lambda retrieval: not list_contains([$tenant || '/' || erased for erased in $retrievals::varchar[]], retrieval))
where tenant in ($tenant, '*')
