"""The verbs that change more than files: on private machines, killed at every point."""
