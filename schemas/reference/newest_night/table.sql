create schema if not exists reference;
-- The newest published night that found something to draw from; the newest of all where none did. A night that was run by mistake on a day
-- without traffic neither hides the others nor ends what stands on them.
create or replace macro reference.newest_night() as
  (select coalesce(max(day) filter (frame_size > 0), max(day)) from night.nights where published);
