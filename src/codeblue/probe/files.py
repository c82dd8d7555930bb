"""Small reads of /proc, /sys and configuration files."""

import errno
import os

LIMIT = 1 << 20
ROOT = ""
"""Put in front of every path; tests point it at a tree of their own."""
MOST_LINKS = 40
"""As many as the kernel follows."""


def place(path, follow=True):
    """Return where a path lies on disk: the links below another root lead to files there, never to ours.

    ``follow`` tells whether a link at the end is followed. Raises OSError if links lead in a circle.
    """
    if not ROOT:
        return path
    waiting, done, links = path.split("/")[::-1], [], 0
    while waiting:
        part = waiting.pop()
        if part == "..":
            del done[-1:]
        if part in ("", ".", ".."):
            continue
        leads_to = _link("/".join([ROOT] + done + [part])) if follow or any(waiting) else None
        if leads_to is None:
            done.append(part)
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        done = [] if leads_to.startswith("/") else done
        waiting += leads_to.split("/")[::-1]
    return "/".join([ROOT] + done)


def _link(path):
    try:
        return os.readlink(path)
    except OSError:
        return None


def text(path, limit=LIMIT):
    """Return a file's text, at most ``limit`` bytes. Raises OSError."""
    with open(place(path), "rb") as stream:
        return stream.read(limit).decode("utf-8", "replace")


def rows(path):
    """Yield the lines of a file that may be large, such as a table of mounts. Raises OSError."""
    with open(place(path), "rb") as stream:
        for row in stream:
            yield row.decode("utf-8", "replace").rstrip("\n")


def line(path):
    """Return a file's first line without white space around it. Raises OSError."""
    return text(path, 4096).split("\n", 1)[0].strip()


def names(path):
    """Return the sorted names in a folder; an absent folder has none. Raises OSError."""
    try:
        return sorted(os.listdir(place(path)))
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
        return _link(place(path, follow=False))
    except OSError:
        return None


def exists(path):
    """True if the path exists, links followed."""
    try:
        return os.path.exists(place(path))
    except OSError:
        return False
