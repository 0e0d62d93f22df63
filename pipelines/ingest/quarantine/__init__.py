"""What was rejected, tried again after a fix."""
