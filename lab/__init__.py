"""The fault lab: real faults on a real GPU machine, each in a private mount namespace.

Nothing outlives an experiment: what it mounts, makes and limits ends with its process.
Clocks, modes of the GPU, resets and kernel modules are never touched.
"""
