"""Carrying remedies out, and what is left when that is cut short."""
