"""The proof of an erasure: what of a visitor is still found."""
