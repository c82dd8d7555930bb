"""A Job a node in the user's cluster, made and read with his own kubectl."""
