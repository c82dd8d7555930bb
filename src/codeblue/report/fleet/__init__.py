"""Reports over many nodes."""
