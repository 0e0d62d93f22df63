select day, environment, tenant, kind, position, frame_size, sample_size from night.strata order by all
