update alerts.alerts
set worst = list_filter(worst, lambda retrieval: not list_contains($retrievals::varchar[], retrieval))
where tenant in ($tenant, '*')
