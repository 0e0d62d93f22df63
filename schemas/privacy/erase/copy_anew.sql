-- The statements that copy the warehouse into a new file; their names can be no parameters.
select unnest([
  format('attach ''{}'' as fresh', replace($path, '''', '''''')),
  format('copy from database "{}" to fresh', replace(current_database(), '"', '""')),
  'detach fresh'
])
