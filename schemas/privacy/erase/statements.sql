-- Every table of the warehouse, with the statements that count and delete what it holds of the visitor in `erasing_whom`; both are null
-- where no column tells. They are made from the catalogue, so that a table that is added later is reached too.
with owned_by (column_name, condition) as (
  values
    ('event_id', 'event_id::varchar in (select event_id::varchar from erasing_events)'),
    ('retrieval_id', 'retrieval_id in (select retrieval_id from erasing_retrievals)'),
    ('turn_id', 'turn_id in (select turn_id from erasing_turns)'),
    ('source_id', 'source_id in (select conversation_id from erasing_conversations)'),
    ('visitor_id', 'visitor_id = (select visitor from erasing_whom)'),
    ('item_id', 'exists (from erasing_items where starts_with(item_id, prefix))')
),
tables as (
  select any_value(columns.schema_name) as schema_name, any_value(columns.table_name) as table_name,
    format('"{}"."{}"', any_value(columns.schema_name), any_value(columns.table_name)) as quoted,
    list(columns.column_name) as columns,
    list(owned_by.condition order by columns.column_index) filter (owned_by.condition is not null) as owned
  from duckdb_columns() as columns
  join duckdb_tables() as tables using (database_oid, schema_oid, table_oid)
  left join owned_by using (column_name)
  where not tables.temporary and not tables.internal
  group by table_oid, schema_oid
),
-- a conversation counts as the visitor's where the row names no other visitor
conditions as (
  select *,
    list_concat(owned, case
      when not list_contains(columns, 'conversation_id') then []
      when list_contains(columns, 'visitor_id') then [
        'conversation_id in (select conversation_id from erasing_conversations)'
        ' and (visitor_id is null or visitor_id = (select visitor from erasing_whom))'
      ]
      else ['conversation_id in (select conversation_id from erasing_conversations)']
    end) as all_conditions
  from tables
),
joined as (
  select *, list_contains(columns, 'tenant') as has_tenant,
    concat(
      if(list_contains(columns, 'tenant'), 'tenant = (select tenant from erasing_whom) and ', ''),
      '((', array_to_string(all_conditions, ') or ('), '))'
    ) as condition
  from conditions
)
select format('{}.{}', schema_name, table_name) as name, has_tenant,
  if(len(all_conditions) > 0, format('select count(*) from {} where {}', quoted, condition), null) as count_theirs,
  if(len(all_conditions) > 0, format('delete from {} where {}', quoted, condition), null) as delete_theirs
from joined
where not list_contains($aggregates::varchar[], format('{}.{}', schema_name, table_name)) or $aggregates is null
order by name
