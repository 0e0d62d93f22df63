delete from canonical.exposures
