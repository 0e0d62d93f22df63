select tenant, version, gate, gate_percent, changed_at, changed_by
from tenants.configurations
where tenant = $tenant or $tenant is null
qualify row_number() over (partition by tenant order by version desc) = 1
order by tenant
