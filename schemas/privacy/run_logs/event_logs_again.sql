update event_logs set event = :document where id = :id
