"""The way in for applications: the collector and its client."""
