delete from canonical.interactions
