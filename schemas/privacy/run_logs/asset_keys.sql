select id, last_materialization from asset_keys where last_materialization is not null
