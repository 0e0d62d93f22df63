insert into canonical.model_calls by name
select * exclude (place) from batch_model_calls
where place in (select place from batch_fates where fate = 'new')
