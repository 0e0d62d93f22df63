"""The noise floor: how far a day moves when nothing has changed."""
