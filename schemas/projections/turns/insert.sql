insert into canonical.turns by name
select * exclude (place) from batch_turns
where place in (select place from batch_fates where fate = 'new')
