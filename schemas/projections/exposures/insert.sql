insert into canonical.exposures by name
select * exclude (place) from batch_exposures
where place in (select place from batch_fates where fate = 'new')
