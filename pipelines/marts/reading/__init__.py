"""What people read of the nights: trends, and the report of one night."""
