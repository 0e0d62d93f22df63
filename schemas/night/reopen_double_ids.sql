update night.nights set published = false
where day in (
  select day from canonical.turns join double_ids using (tenant, event_id)
  union all
  select day from canonical.retrievals join double_ids using (tenant, event_id)
  union all
  select day from canonical.model_calls join double_ids using (tenant, event_id)
  union all
  select day from canonical.page_views join double_ids using (tenant, event_id)
  union all
  select day from canonical.interactions join double_ids using (tenant, event_id)
  union all
  select day from canonical.conversions join double_ids using (tenant, event_id)
  union all
  select day from canonical.exposures join double_ids using (tenant, event_id)
)
