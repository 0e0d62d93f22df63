delete from canonical.retrievals
