delete from canonical.model_calls
