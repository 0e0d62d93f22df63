"""What is promised: events on the wire, canonical tables, marts. Imports nothing of ours."""
