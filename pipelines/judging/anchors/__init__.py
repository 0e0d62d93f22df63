"""Drift anchors: frozen retrievals that tell a judge that moved from retrieval that moved."""
