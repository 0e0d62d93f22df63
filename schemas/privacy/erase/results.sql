-- A retriever of the application's own may have found a conversation again, in any run over this tenant's items.
update experiments.results
set passage_ids = list_filter(passage_ids, lambda passage: not list_contains($passages::varchar[], passage))
where list_has_any(passage_ids, $passages::varchar[])
  and item_id in (select item_id from experiments.run_items where tenant = $tenant)
