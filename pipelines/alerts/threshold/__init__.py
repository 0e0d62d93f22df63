"""The threshold rule: one night against the nights before, for as long as there is too little history for more."""
