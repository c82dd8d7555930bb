"""One module per verb; no logic here."""
