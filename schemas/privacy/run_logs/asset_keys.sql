select id, last_materialization from asset_keys where id > :after and last_materialization is not null order by id limit :rows
