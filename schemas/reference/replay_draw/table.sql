create schema if not exists reference;
-- The place of a conversation among those that a night replays when it cannot replay all: the same on every day of the conversation.
create or replace macro reference.replay_draw(tenant, conversation_id) as md5_number_upper(tenant || chr(31) || conversation_id);
