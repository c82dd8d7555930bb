"""Configuration files: from a path to parts with their places. ``kinds.py`` lists the kinds."""
