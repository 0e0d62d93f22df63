create schema if not exists alerts;
create table if not exists alerts.summed_nights (
  day date not null,
  environment varchar not null,
  complete boolean not null
);
comment on table alerts.summed_nights is 'The published nights whose judged retrievals are summed in alerts.leaves; a night that is made again is summed again';
comment on column alerts.summed_nights.complete is 'whether each drawn retrieval has its final verdict; a night without all of them is summed again with each run, as they may come with any night';
