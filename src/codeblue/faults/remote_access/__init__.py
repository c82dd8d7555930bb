"""Faults of this layer, one per file."""
