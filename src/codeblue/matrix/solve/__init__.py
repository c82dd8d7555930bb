"""Which versions would work together: the least change that a resolver finds, judged by the rules."""
