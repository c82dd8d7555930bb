"""Snapshot times catalogue gives verdicts; verdicts are ranked into a diagnosis."""
