"""Personal data: found, replaced, erased."""
