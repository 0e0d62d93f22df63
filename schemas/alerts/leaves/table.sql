create schema if not exists alerts;
create table if not exists alerts.leaves (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  kind varchar not null,
  position varchar not null,
  judged bigint not null check (judged >= 1),
  irrelevant bigint not null check (irrelevant between 0 and judged),
  retrievals bigint not null check (retrievals >= 1),
  query_faults bigint not null,
  retriever_faults bigint not null
);
comment on table alerts.leaves is 'What charts are drawn from: judged retrievals that are alike, by leaf, of the nights in alerts.summed_nights';
comment on column alerts.leaves.kind is 'of a leaf: the kind of all passages, mixed, or mixed: with the kind of the part that is told here';
comment on column alerts.leaves.judged is 'judged passages of each of these retrievals';
comment on column alerts.leaves.irrelevant is 'those of them that are irrelevant to the need';
comment on column alerts.leaves.query_faults is 'irrelevant passages of all these retrievals together that fit the query';
comment on column alerts.leaves.retriever_faults is 'irrelevant passages of all these retrievals together that do not fit the query either';
