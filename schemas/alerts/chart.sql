select tenant, kind, cell, state, score, retrievals from alerts.charts
where environment = $environment and day = $day and (tenant = $tenant or $tenant is null)
order by score desc nulls last, tenant, kind, cell
