from alerts.alerts where (tenant = $tenant or $tenant is null) order by since desc, environment, tenant, slice, value
