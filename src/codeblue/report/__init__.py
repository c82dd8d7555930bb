"""Reports only format: a diagnosis goes in, text comes out."""
