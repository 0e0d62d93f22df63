"""From verdicts and turns to what people read."""
