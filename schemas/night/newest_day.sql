-- The newest night that had something to show: one run by mistake on a day without traffic does not hide the others.
select coalesce(max(day) filter (frame_size > 0), max(day)) from night.nights where published
