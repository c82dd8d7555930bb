"""What definitions of continuous integration get wrong."""
