insert into canonical.conversions by name
select * exclude (place) from batch_conversions
where place in (select place from batch_fates where fate = 'new')
