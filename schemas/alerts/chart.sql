-- The charts of an environment after its newest night, the loudest first.
select tenant, kind, cell, state, score, retrievals from alerts.charts
where environment = $environment and (tenant = $tenant or $tenant is null)
  and day = (select max(day) from alerts.charts where environment = $environment)
order by score desc nulls last, tenant, kind, cell
