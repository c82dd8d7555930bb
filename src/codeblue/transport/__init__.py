"""How the probe's text reaches a target: an argv over which ``python3 -`` can run."""
