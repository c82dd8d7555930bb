"""One class for each verb: look, apply, verify, go back."""
