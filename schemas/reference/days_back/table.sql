create schema if not exists reference;
-- How far back a night looks for what was said before in a conversation, in days: what is older is not read, so a night costs the same
-- however many there were, and a late turn touches no night beyond it.
create or replace macro reference.days_back() as 7;
