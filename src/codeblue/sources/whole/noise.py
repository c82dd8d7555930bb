"""What whole files print besides: lines that look like evidence and are none."""

import re

SILENT = re.compile(r"^[0-9a-f]{2,3}: (?:[0-9a-f]{2} ){8,}|^\s+ACSCtl:")
"""Of ``lspci -vvvxxx``: configuration space in hex, and how every bridge of the machine treats peers.
The latter proves no trouble as long as nobody says that copies between GPUs fail."""


def silent(line: str) -> bool:
    """Return whether a line of a collected ``lspci`` says nothing of what is wrong."""
    return SILENT.match(line) is not None
