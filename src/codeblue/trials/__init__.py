"""Trials: programs that run in the job's interpreter and measure what the machine really delivers.

Shipped as text, like the probe; one worker for each GPU, led by ``codeblue_probe.trials.conductor``.
"""
