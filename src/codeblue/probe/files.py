"""Small reads of /proc, /sys and configuration files."""

import os

LIMIT = 1 << 20
ROOT = ""
"""Put in front of every path; tests point it at a tree of their own."""


def text(path, limit=LIMIT):
    """Return a file's text, at most ``limit`` bytes. Raises OSError."""
    with open(ROOT + path, "rb") as stream:
        return stream.read(limit).decode("utf-8", "replace")


def rows(path):
    """Yield the lines of a file that may be large, such as a table of mounts. Raises OSError."""
    with open(ROOT + path, "rb") as stream:
        for row in stream:
            yield row.decode("utf-8", "replace").rstrip("\n")


def line(path):
    """Return a file's first line without white space around it. Raises OSError."""
    return text(path, 4096).split("\n", 1)[0].strip()


def names(path):
    """Return the sorted names in a folder; an absent folder has none. Raises OSError."""
    try:
        return sorted(os.listdir(ROOT + path))
    except FileNotFoundError:
        return []


def pairs(content, separator):
    """Return ``key: value`` lines as a dict, quotes around values removed."""
    found = {}
    for row in content.splitlines():
        key, sep, value = row.partition(separator)
        if sep:
            found[key.strip()] = value.strip().strip('"')
    return found


def target(path):
    """Return where a link points, or None if it is no link."""
    try:
        return os.readlink(ROOT + path)
    except OSError:
        return None


def exists(path):
    """True if the path exists, links followed."""
    return os.path.exists(ROOT + path)
