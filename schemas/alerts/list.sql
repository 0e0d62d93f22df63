from alerts.alerts where (tenant = $tenant or $tenant is null) order by opened desc, environment, rule, part desc nulls last, tenant, kind, cell
