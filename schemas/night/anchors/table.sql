create schema if not exists night;
create table if not exists night.anchors (
  tenant varchar not null,
  retrieval_id varchar not null,
  content varchar not null,
  passages integer not null check (passages >= 1),
  imported_at timestamptz not null,
  primary key (tenant, retrieval_id)
);
comment on table night.anchors is 'Frozen retrievals that are judged anew every night, past the store of verdicts, to see whether the judge has moved';
comment on column night.anchors.content is 'the retrieval as it was imported, as JSON; it is never changed';
