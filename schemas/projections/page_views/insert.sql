insert into canonical.page_views by name
select * exclude (place) from batch_page_views
where place in (select place from batch_fates where fate = 'new')
