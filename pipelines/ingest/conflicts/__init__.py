"""The same id under another time: looked for in the whole log, in the night."""
