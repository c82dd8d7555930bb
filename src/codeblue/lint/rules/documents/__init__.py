"""What documents say that is not so."""
