create schema if not exists marts;
create table if not exists marts.worst_retrievals (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  place integer not null check (place >= 1),
  retrieval_id varchar not null,
  conversation_id varchar not null,
  visitor_id varchar,
  message varchar,
  searched_query varchar not null,
  resolution varchar not null,
  fault varchar not null,
  irrelevant bigint not null,
  judged bigint not null,
  passages struct(passage_id varchar, kind varchar, title varchar, "text" varchar, query_grade tinyint, need_grade tinyint, evidence varchar)[] not null,
  primary key (day, environment, tenant, place)
);
comment on table marts.worst_retrievals is 'What to read first: the judged retrievals with the most passages that have nothing to do with the need';
comment on column marts.worst_retrievals.place is '1 is the worst of the tenant on that day';
comment on column marts.worst_retrievals.fault is 'which half broke in most of its irrelevant passages: query or retriever';
comment on column marts.worst_retrievals.irrelevant is 'passages that have nothing to do with the need';
comment on column marts.worst_retrievals.passages is 'its passages with their grades; texts are cut at 500 characters';
