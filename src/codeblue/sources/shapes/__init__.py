"""What private data looks like: one set of rules for the host and for the probe.

The probe is shipped with this package, so that it is written for Python 3.6 and the standard library.
"""
