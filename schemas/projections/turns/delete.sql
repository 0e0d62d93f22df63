delete from canonical.turns
