-- Inserts nothing where the version in force is another than the one that the change is based on.
insert into tenants.configurations by name
select $tenant as tenant, $based_on + 1 as version, $gate as gate, $gate_percent as gate_percent, $changed_at as changed_at,
  $changed_by as changed_by
where $based_on = (select coalesce(max(version), 0) from tenants.configurations where tenant = $tenant)
returning version
