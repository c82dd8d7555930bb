"""Anything that can be read becomes a view: a live probe, a recording, a text."""
