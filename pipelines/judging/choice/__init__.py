"""Choosing a judge by its name."""
