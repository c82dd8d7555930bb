"""What host and probe must know alike: private data, and the kernel messages that matter for GPUs.

The probe is shipped with this package, so that it is written for Python 3.6 and the standard library.
"""
