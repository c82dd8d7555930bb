"""What launch scripts get wrong: ranks, rendezvous, Slurm headers, variables, exit codes."""
