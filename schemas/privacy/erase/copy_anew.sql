-- The statements that copy the warehouse into a new file; their names can be no parameters.
select unnest([
  format('attach ''{}'' as fresh', replace($path, '''', '''''')),
  format('copy from database "{}" to fresh', replace(current_database(), '"', '""')),
  'checkpoint fresh', -- to detach it does the same, and says nothing where there is no room for it
  'detach fresh'
])
