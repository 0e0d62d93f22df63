select person_id, name, aliases
from structured.people
where tenant = $tenant
order by person_id
