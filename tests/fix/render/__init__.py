"""Plans as text: what people run with their own tools must be exactly what was meant."""
