"""Stored verdicts beside people's labels."""
