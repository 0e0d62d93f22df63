-- The statements that say of a table, and of its columns, what is said of them now.
with described as (
  select 0 as place, 'table' as what, format('"{}"."{}"', schema_name, table_name) as named, comment
  from duckdb_tables()
  where schema_name = $schema and table_name = $name
  union all
  select column_index, 'column', format('"{}"."{}"."{}"', schema_name, table_name, column_name), comment
  from duckdb_columns()
  where schema_name = $schema and table_name = $name
)
select concat('comment on ', what, ' ', named, ' is ''', replace(comment, '''', ''''''), '''')
from described
where comment is not null
order by place
