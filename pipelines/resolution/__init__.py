"""What happens before a search: the gate, structured reads, strategies."""
