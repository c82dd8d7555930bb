"""What numbers say: how exact, whether equal, and why not."""
