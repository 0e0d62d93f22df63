-- The items of a run that a complete, earlier run had when the set was another version.
select distinct earlier_items.item_id
from experiments.runs as this
join experiments.runs as earlier
  on earlier.dataset = this.dataset and earlier.dataset_hash <> this.dataset_hash
  and earlier.started_at < this.started_at and earlier.finished_at is not null
join experiments.run_items as earlier_items on earlier_items.run_id = earlier.run_id
join experiments.run_items as items on items.run_id = this.run_id and items.item_id = earlier_items.item_id
where this.run_id = $run_id
