"""An experiment from its design to its stored result."""
