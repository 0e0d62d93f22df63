"""Patches that each break one guarantee, and the proof that the tests notice."""
