"""Language models that strategies ask."""
