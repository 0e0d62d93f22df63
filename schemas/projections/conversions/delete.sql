delete from canonical.conversions
