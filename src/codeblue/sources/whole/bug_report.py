"""nvidia-bug-report.log: the sections that describe this boot, each below the command that printed it."""

import re
from collections.abc import Iterable, Iterator

MARK = b"Start of NVIDIA bug report log file"
RULE = re.compile(r"^_{30,}$")
WANTED = re.compile(
    r"^(?:\*\*\* )?/?(?:\S+/)?(?:"
    r"proc/(?:driver/nvidia/\S*|modules|cmdline|version)|etc/os-release|sys/module/nvidia/version"
    r"|(?:nvidia-smi|lspci|lsmod|dmesg|uname|modinfo|dkms)\b.*|journalctl\b(?!.* -b ?-[1-9]).*"
    r"|ls\b.* /dev/nvidia\S*"
    r")$"
)
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
            wanted = WANTED.match(text) is not None
            yield f"$ {_typed(text)}" if wanted else ""
        elif uname := UNAME.match(text):
            yield uname.group(1)
        else:
            yield line.rstrip("\n") if wanted and not LISTING.match(text) else ""


def _typed(heading: str) -> str:
    plain = heading.removeprefix("*** ").rstrip(":")
    program, _, rest = plain.partition(" ")
    name = program.rpartition("/")[2]
    is_file = program.startswith(("/proc/", "/etc/", "/sys/"))
    return f"cat {program.replace('/./', '/')}" if is_file else f"{name} {rest}".strip()
