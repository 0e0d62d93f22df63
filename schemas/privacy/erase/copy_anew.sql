-- The statements that copy this database into a new file; neither a file nor a database can be a parameter of them.
select unnest([
  format('attach ''{}'' as fresh', replace($path, '''', '''''')),
  format('copy from database "{}" to fresh', replace(current_database(), '"', '""')),
  'detach fresh'
])
