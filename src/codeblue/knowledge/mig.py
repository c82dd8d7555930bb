"""Profiles of MIG instances.

Sources: NVIDIA MIG user guide, supported profiles; the profiles that the GPU operator configures. Variants
with media extensions or graphics have the same beginning.
"""

import re

ROWS = (
    # A30, A100 40 GB and 80 GB, H100 80 GB
    "1g.5gb 1g.6gb 1g.10gb 1g.20gb 2g.10gb 2g.12gb 2g.20gb 3g.20gb 3g.40gb 4g.20gb 4g.24gb 4g.40gb",
    "7g.40gb 7g.80gb",
    # H100 94 GB and 96 GB, GH200
    "1g.11gb 1g.12gb 1g.22gb 1g.24gb 2g.22gb 2g.24gb 3g.44gb 3g.46gb 3g.47gb 3g.48gb",
    "4g.44gb 4g.46gb 4g.47gb 4g.48gb 7g.93gb 7g.94gb 7g.95gb 7g.96gb",
    # H200, GH200 144 GB
    "1g.16gb 1g.18gb 1g.32gb 1g.33gb 1g.35gb 1g.36gb 2g.32gb 2g.33gb 2g.35gb 2g.36gb",
    "3g.70gb 3g.71gb 3g.72gb 4g.70gb 4g.71gb 4g.72gb 7g.140gb 7g.141gb 7g.144gb",
    # B200, GB200, B300, GB300
    "1g.23gb 1g.45gb 1g.47gb 2g.45gb 2g.47gb 3g.90gb 3g.93gb 3g.95gb 4g.90gb 4g.93gb 4g.95gb",
    "7g.180gb 7g.186gb 7g.189gb 1g.34gb 1g.67gb 1g.70gb 2g.67gb 2g.70gb 3g.135gb 3g.139gb 4g.135gb 4g.139gb",
    "7g.269gb 7g.270gb 7g.278gb 7g.279gb",
    # RTX PRO Blackwell
    "2g.48gb 4g.96gb",
)
PROFILES = frozenset(name for row in ROWS for name in row.split())
"""``<compute slices>g.<memory>gb``."""
PARTS = re.compile(r"([0-9]+)g[._-]?([0-9]+)gb?", re.IGNORECASE)
NEAR = 4
"""GB by which the memory may differ."""


def near(profile: str) -> str | None:
    """Return the profile that is most like a name that none has; None if none is."""
    found = PARTS.match(profile)
    if found is None:
        return None
    slices, memory = int(found[1]), int(found[2])
    same = [other for other in PROFILES if int(other[0]) == slices]
    best = min(sorted(same), key=lambda other: abs(_memory(other) - memory), default=None)
    return best if best is not None and abs(_memory(best) - memory) <= NEAR else None


def _memory(profile: str) -> int:
    return int(profile[3:-2])
