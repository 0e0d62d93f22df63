delete from canonical.passages
