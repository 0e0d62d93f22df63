insert into canonical.retrievals by name
select * exclude (place) from batch_retrievals
where place in (select place from batch_fates where fate = 'new')
