"""Reports of what trials measured."""
