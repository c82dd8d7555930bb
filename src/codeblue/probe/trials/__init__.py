"""Trials: children that do what the job does, and may hang or crash while doing it."""
