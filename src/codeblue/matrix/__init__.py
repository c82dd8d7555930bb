"""Whether versions work together, and which ones would: rules over a combination, asked of the tables."""
