"""nvidia-bug-report.log: the sections that describe this boot, each below the command that printed it."""

import re
from collections.abc import Iterable, Iterator

from codeblue.sources.whole.noise import silent

MARK = b"Start of NVIDIA bug report log file"
RULE = re.compile(r"^_{30,}$")
FILE = re.compile(
    r"^(?:\*\*\* )?(/(?:proc/(?:driver/nvidia/\S+|modules|cmdline|version)|etc/os-release"
    r"|sys/module/nvidia/version))$"
)
PROGRAM = r"(?:/(?:[^\s/]+/)*s?bin/)?"
"""Where a program lies, if the report says it. ``/var/lib/dkms/…`` is a log of some old build."""
COMMAND = re.compile(
    rf"^{PROGRAM}((?:nvidia-smi|lspci|lsmod|dmesg|uname|modinfo|dkms)\b.*"
    r"|journalctl\b(?!.* -b ?-[1-9]).*|systemctl status nvidia-(?:fabricmanager|imex)\S*"
    r"|ls\b.* /dev/nvidia\S*)$"
)
AGAIN = re.compile(rf"^{PROGRAM}(nvidia-smi (?:-q|--query|nvlink|topo|conf-compute|c2c)\b.*)$")
"""The next command in the section of the one before."""
UNAME = re.compile(r"^uname: (Linux .+)$")
LISTING = re.compile(r"^\*\*\* ls: ")


def known(head: bytes) -> bool:
    """True for the first bytes of such a report."""
    return MARK in head


def chosen(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the sections that matter, and an empty one for every other.

    Old logs and files of other boots lie in the report as well; they say nothing of today.
    """
    wanted = heading = False
    for line in lines:
        text = line.strip()
        if RULE.match(text):
            wanted, heading = False, True
            yield ""
        elif heading and text:
            heading = False
            typed = _typed(text)
            wanted = typed is not None
            yield f"$ {typed}" if typed else ""
        elif uname := UNAME.match(text):
            yield uname.group(1)
        elif wanted and (again := AGAIN.match(text)):
            yield f"$ {again.group(1)}"
        else:
            yield line.rstrip("\n") if wanted and not (LISTING.match(text) or silent(line)) else ""


def _typed(heading: str) -> str | None:
    """Return the command that prints what stands below a heading; None if it does not matter."""
    if found := FILE.match(heading):
        return f"cat {found.group(1).replace('/./', '/')}"
    found = COMMAND.match(heading.rstrip(":"))
    return found.group(1) if found else None
