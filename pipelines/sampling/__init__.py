"""Which retrievals are judged, and what the judged ones say of all."""
