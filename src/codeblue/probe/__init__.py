"""The probe. Shipped as text to the target: stdlib only, CPython 3.6, reads and never writes.

Nobody imports these modules but the probe itself; ``sources.probe_text`` ships them.
"""
