"""Remedies in the form in which somebody carries them out."""
