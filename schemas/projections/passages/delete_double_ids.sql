delete from canonical.passages as row
using double_ids as double
where row.tenant = double.tenant and row.event_id = double.event_id
