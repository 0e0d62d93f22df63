select distinct tenant from privacy.tombstones order by tenant
