insert into canonical.passages by name
select * exclude (place) from batch_passages
where place in (select place from batch_fates where fate = 'new')
