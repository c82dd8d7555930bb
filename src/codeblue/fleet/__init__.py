"""Many nodes: engines that reach them, runs that are kept, and what is odd or broken among them."""
