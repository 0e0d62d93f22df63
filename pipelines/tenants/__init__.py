"""Who owns the data, and each owner's configuration."""
