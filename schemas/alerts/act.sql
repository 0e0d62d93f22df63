insert or replace into alerts.acts by name
select $environment as environment, $day::date as day, $what as what, $since::date as since, $note as note, $acted_at::timestamptz as acted_at
