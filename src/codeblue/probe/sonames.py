"""Which mapped files are libraries of GPU work, and what the loader calls them."""

import os
import re

LIBRARIES = (
    "libcuda.so libcudart libcublas libcudnn libnccl libnvJitLink libgomp libstdc++ libc10_cuda"
    " libnvidia-ml.so"
).split()
"""How the names of the files begin whose mapping is reported."""


def by_soname(paths):
    """Return soname -> file. Where one is mapped from two files, the first by name is kept."""
    found = {}
    for path in paths:
        found.setdefault(soname(os.path.basename(path)), path)
    return found


def soname(name):
    """Return the soname behind a file name: its version is cut to what the loader compares."""
    match = re.match(r"(lib[\w+-]+?)(?:-[0-9a-f]{8})?\.so(?:\.(\d+)[.\d]*)?$", name)
    if not match or not match.group(2):
        return name
    stem, major = match.groups()
    if stem in ("libcuda", "libnvidia-ml"):
        major = "1"  # these files carry the driver's version
    elif stem == "libcudart" and major == "11":
        major = "11.0"  # all releases of CUDA 11 share this one
    return "%s.so.%s" % (stem, major)
