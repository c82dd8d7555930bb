"""File systems that a job depends on. Runs as the judged user."""

import json
import os
import re
import select
import signal
import stat
import time

from codeblue_probe import files
from codeblue_probe.report import Report

LOCAL = ("/dev/shm", "/tmp", "/", "/var")
DOCKER = "/var/lib/docker"
ESCAPED = re.compile(rb"[ \t\n\\#]")
"""What the kernel spells in octal in its table."""

LONGEST = 64 << 20
"""Bytes of the table of mounts."""

PATIENCE = 1.0
"""Seconds that a file system on the network may take to answer."""

READ_ONLY = 1
"""ST_RDONLY of statvfs."""


def read(context, sections):
    """Read the filesystems section."""
    report = Report("statvfs {key}")
    roles = dict(((path, path) for path in LOCAL), **_roles(context))
    found = _guarded(roles, _mounts())
    report.put("filesystems", {role: row for role, row in found.items() if row})
    return report


def _roles(context):
    home = context.environment.get("HOME")
    cache = context.environment.get("XDG_CACHE_HOME") or (home + "/.cache" if home else None)
    return {"home": home, "cwd": context.cwd, "cache": cache, "docker": _docker()}


def _docker():
    """Return the folder in which Docker keeps images and containers."""
    try:
        folder = json.loads(files.text("/etc/docker/daemon.json")).get("data-root")
    except (OSError, ValueError, AttributeError):  # most machines have no such file, or no Docker
        folder = None
    return folder if isinstance(folder, str) else DOCKER


def _filesystem(path, mounts):
    """Return one row, or None if the path does not exist."""
    place = files.ROOT + path
    try:
        mode = os.stat(place).st_mode
        numbers = os.statvfs(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:  # a stale handle, or a folder above that is closed: the rest stays unread
        return {"kind": _kind(path, mounts)}
    root = os.path.realpath(files.ROOT or "/").rstrip("/")
    return {
        "kind": _kind(os.path.realpath(place)[len(root) :] or "/", mounts),
        "total": numbers.f_blocks * numbers.f_frsize,
        "free": numbers.f_bavail * numbers.f_frsize,
        "inodes": numbers.f_files,
        "inodes_free": numbers.f_favail,
        "read_only": bool(numbers.f_flag & READ_ONLY),
        "mode": "%04o" % stat.S_IMODE(mode),
        "writable": os.access(place, os.W_OK | os.X_OK),
    }


def _mounts():
    """Return the table of mounts as it is; taken apart, a hundred thousand rows would fill the memory."""
    try:
        with open(files.ROOT + "/proc/self/mounts", "rb") as stream:
            return b"\n" + stream.read(LONGEST)
    except OSError:
        return b""


def _kind(path, mounts):
    """Return the kind of the lowest mount above a path."""
    while True:
        point = ESCAPED.sub(lambda found: b"\\%03o" % ord(found.group()), os.fsencode(path))
        # Of two mounts at one point the later one is seen.
        at = mounts.rfind(b" " + point + b" ")
        if at >= 0:
            return mounts[at + len(point) + 2 :].split(None, 1)[0].decode("utf-8", "replace")
        if path in ("/", ""):
            return None
        path = os.path.dirname(path)


def _guarded(roles, mounts):
    """Look at each path in a process of its own: a dead file server must not take the others along.

    A path that does not answer keeps only its kind; what was not read stays unread.
    """
    rows, waiting = {}, []
    for role, path in roles.items():
        if path and path.startswith("/"):
            waiting.append((role, path) + _start(path, mounts))
    end = time.time() + PATIENCE
    for role, path, pid, pipe in waiting:
        if select.select([pipe], [], [], max(0.0, end - time.time()))[0]:
            rows[role] = json.loads(os.read(pipe, 1 << 16).decode("utf-8") or "null")
            os.waitpid(pid, 0)
        else:
            os.kill(pid, signal.SIGKILL)  # not waited for: it may be in state D
            rows[role] = {"kind": _kind(path, mounts)}
        os.close(pipe)
    return rows


def _start(path, mounts):
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            # Inherited pipes are closed: a stuck process would keep the reader's own answer open.
            os.closerange(0, writing)
            os.closerange(writing + 1, 256)
            os.write(writing, json.dumps(_filesystem(path, mounts)).encode("utf-8"))
        finally:
            os._exit(0)
    os.close(writing)
    return pid, reading
