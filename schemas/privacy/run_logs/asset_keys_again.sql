update asset_keys set last_materialization = :document where id = :id
