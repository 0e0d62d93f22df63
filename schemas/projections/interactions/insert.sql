insert into canonical.interactions by name
select * exclude (place) from batch_interactions
where place in (select place from batch_fates where fate = 'new')
