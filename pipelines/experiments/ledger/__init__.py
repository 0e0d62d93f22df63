"""The runs of experiments in the warehouse."""
