create schema if not exists experiments;
create table if not exists experiments.run_items (
  run_id varchar not null,
  item_id varchar not null,
  tenant varchar not null,
  conversation_id varchar not null,
  tags varchar[] not null,
  relevant varchar[] not null,
  primary key (run_id, item_id)
);
comment on table experiments.run_items is 'The items that each run was expected to cover; no text of anyone';
comment on column experiments.run_items.relevant is 'ids of the passages that people called relevant';
