select item_id, tenant, conversation_id, tags, relevant from experiments.run_items where run_id = $run_id order by item_id
