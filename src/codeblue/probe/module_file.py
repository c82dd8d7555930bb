"""What a kernel module's file says of itself."""

import re
import time
from importlib import import_module

from codeblue_probe import files
from codeblue_probe.report import Unread

SIGNED = b"~Module signature appended~\n"
KEY = b"\0version="
VERSION = re.compile(KEY + rb"([\w.-]+)\0")
OPENERS = {".xz": "lzma", ".gz": "gzip"}
CHUNK = 1 << 20
OVERLAP = 128
PATIENCE = 3.0
"""Seconds that unpacking may take."""


def look(path):
    """Return the module's version (None if it tells none) and whether a signature is appended."""
    end, version, tail = time.time() + PATIENCE, None, b""
    with _opened(path) as stream:
        while True:
            chunk = stream.read(CHUNK)
            if not chunk:
                break
            chunk = tail + chunk
            if not version and KEY in chunk:  # many times faster than the pattern
                version = VERSION.search(chunk)
            tail = chunk[-OVERLAP:]
            if time.time() > end:
                raise Unread("timeout", "unpacking %s takes more than %g s" % (path, PATIENCE))
    return version.group(1).decode() if version else None, tail.endswith(SIGNED)


def _opened(path):
    ending = path[path.rindex(".") :]
    if ending == ".ko":
        return open(files.place(path), "rb")
    if ending not in OPENERS:
        raise Unread("unsupported", "cannot unpack " + path)
    try:
        return import_module(OPENERS[ending]).open(files.place(path), "rb")
    except ImportError:
        raise Unread("unsupported", "this interpreter cannot unpack " + path)
