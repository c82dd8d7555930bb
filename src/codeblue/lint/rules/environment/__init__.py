"""What environment variables get wrong, in whatever kind of file."""
