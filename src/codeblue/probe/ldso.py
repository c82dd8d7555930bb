"""Where the dynamic loader looks: LD_LIBRARY_PATH, its cache, the default folders."""

import os
import platform
import re
import struct

from codeblue_probe import elf, files

MAGIC = b"glibc-ld.so.cache1.1"
ENTRY = struct.Struct("=iIIIQ")
HEADER_SIZE = 48
CACHE_LIMIT = 8 << 20
FLAGS = {"x86_64": 0x0303, "aarch64": 0x0A03, "ppc64le": 0x0503, "s390x": 0x0403}
"""Which entries of the cache are for 64-bit programs of the machine (glibc, dl-cache.h)."""


class Search:
    """Resolves library names as the loader would for one environment."""

    def __init__(self, variable, cwd):
        # An empty entry, and a relative one, mean the working directory.
        parts = re.split("[:;]", variable) if variable else []
        self.folders = [os.path.normpath(os.path.join(cwd, part)) for part in parts]
        self.cache = cache()
        self.defaults = default_folders()

    def find(self, name):
        """Return (path, via) of the file the loader would try to load, or (None, None)."""
        found = self.in_folders(name)
        if found:
            return found, "LD_LIBRARY_PATH"
        for path in self.cache.get(name, []):
            if stops(path):
                return path, "ldcache"
        for folder in self.defaults:
            if stops(folder + "/" + name):
                return folder + "/" + name, "default"
        return None, None

    def in_folders(self, name):
        """Return the file that LD_LIBRARY_PATH yields for a name, or None."""
        paths = [folder + "/" + name for folder in self.folders]
        return next((path for path in paths if stops(path)), None)

    def copies(self, stem, more):
        """Return every real file ``stem*`` in the search path, the cache, and ``more`` folders."""
        paths = [path for name in self.cache if name.startswith(stem) for path in self.cache[name]]
        for folder in self.folders + list(more) + self.defaults:
            paths += [folder + "/" + name for name in _listed(folder) if name.startswith(stem)]
        real = [real_path(path) for path in paths if files.exists(path)]
        return sorted(set(real), key=real.index)


def stops(path):
    """True if the loader's search ends at this file.

    It passes over files of another class or machine and over those it may not open; an empty or
    broken file ends the search with an error.
    """
    try:
        return elf.check(path)[0] not in ("other-architecture", "unreadable")
    except FileNotFoundError:
        return False


def cache():
    """Return name -> paths of /etc/ld.so.cache, in the order in which they are tried.

    A missing cache is empty: then only the default folders are left to the loader.
    """
    try:
        with open(files.place("/etc/ld.so.cache"), "rb") as stream:
            data = stream.read(CACHE_LIMIT)
    except OSError:
        return {}
    start = data.find(MAGIC)
    wanted = FLAGS.get(platform.machine())
    found = {}
    if start < 0 or len(data) < start + HEADER_SIZE:
        return found
    count = struct.unpack_from("=I", data, start + len(MAGIC))[0]
    for number in range(count):
        at = start + HEADER_SIZE + number * ENTRY.size
        if at + ENTRY.size > len(data):
            break
        flags, key, value, _, capabilities = ENTRY.unpack_from(data, at)
        # Entries with capabilities are variants for newer processors; none of our names has them.
        if capabilities == 0 and (wanted is None or flags == wanted):
            found.setdefault(_string(data, start + key), []).append(_string(data, start + value))
    return found


def default_folders():
    """Return the folders that are searched last."""
    machine = platform.machine()
    multiarch = ["/lib/%s-linux-gnu" % machine, "/usr/lib/%s-linux-gnu" % machine]
    return multiarch + ["/lib64", "/usr/lib64", "/lib", "/usr/lib"]


def real_path(path):
    """Return the file behind all links."""
    try:
        return files.place(path)[len(files.ROOT) :] if files.ROOT else os.path.realpath(path)
    except OSError:  # links in a circle
        return path


def _string(data, at):
    return data[at : data.find(b"\0", at)].decode("utf-8", "replace")


def _listed(folder):
    try:
        return files.names(folder)
    except OSError:
        return []
