select contact_id, person_id, contacted_at, line, source_id
from structured.contacts
where tenant = $tenant
  and status <> 'rejected'
  and contacted_at <= $until::timestamptz
  and person_id in (select unnest($people::varchar[]))
qualify row_number() over (partition by person_id order by contacted_at desc, contact_id) = 1
order by contacted_at desc, contact_id
