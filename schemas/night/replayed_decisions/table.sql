create schema if not exists night;
create table if not exists night.replayed_decisions (
  day date not null,
  environment varchar not null,
  tenant varchar not null,
  event_id uuid not null,
  decision varchar not null check (decision in ('skip', 'substantive', 'follow_up', 'correction', 'no_need')),
  reason varchar not null,
  would_be varchar not null check (would_be in ('substantive', 'follow_up', 'correction', 'no_need')),
  would_be_reason varchar not null,
  combined_with varchar,
  language varchar not null,
  gate_version varchar not null,
  check (decision = 'skip' or (would_be = decision and would_be_reason = reason)),
  check (combined_with is null or decision = 'follow_up')
);
comment on table night.replayed_decisions is 'What this gate decides for the stored turns, whatever the event reports; of a day of many turns, for those that night.replays tells';
comment on column night.replayed_decisions.event_id is 'the turn''s event';
comment on column night.replayed_decisions.reason is 'the rule of the gate that decided';
comment on column night.replayed_decisions.would_be is 'the decision without the ten-character skip';
comment on column night.replayed_decisions.combined_with is 'the earlier turn that the query begins with; null where nothing is combined, for a follow-up too when no earlier turn was substantive';
comment on column night.replayed_decisions.language is 'as the gate reads it from the message and the conversation, the stated one where they show none';
comment on column night.replayed_decisions.gate_version is 'of the gate that was replayed';
