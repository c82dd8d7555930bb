"""Kernel messages that matter for GPUs, picked from all others."""

import re
from collections import deque

MOST = 200
LONGEST = 300
EARLY = 5.0
"""A log whose first message is younger than this, in seconds, holds the start of the boot."""

XID = re.compile(r"NVRM: Xid \((?:PCI:)?([0-9a-fA-F:.]+)[^)]*\): (\d+)")
SXID = re.compile(r"SXid \((?:PCI:)?([0-9a-fA-F:.]+)[^)]*\): (\d+)")
PID = re.compile(r"\bpid='?(\d+)")
PROCESS = re.compile(r"\bname='?([^,<>']+)")

KINDS = (
    ("nvrm", ("NVRM:", "nvidia-uvm: uvm", "nvidia-nvswitch", "nvidia-nvlink", "nvidia: probe of")),
    ("oom", ("ut of memory: Kill", "oom-kill:", "invoked oom-killer")),
    ("segfault", ("segfault at", "general protection fault", "trap invalid opcode")),
    (
        "module",
        (
            "module verification failed",
            "Loading of unsigned module",
            "Key was rejected by service",
            "Lockdown:",
            "nvidia: disagrees about version of symbol",
            "nvidia: version magic",
            "nvidia: Unknown symbol",
        ),
    ),
    ("iommu", ("IO_PAGE_FAULT", "DMAR: [DMA ", "DMAR:[DMA ")),
    ("pcie", ("PCIe Bus Error", "AER: ", "config space inaccessible", "can't assign; no space")),
)
"""Words by which a line is known. The order decides where two fit."""

ORDINARY = ("AER: enabled with IRQ", "ommand line:")
"""Boot messages that hold such words and mean nothing."""


class Lines:
    """The newest messages of each kind."""

    def __init__(self):
        self.xids, self.sxids, self.others = deque(maxlen=MOST), deque(maxlen=MOST), deque(maxlen=MOST)
        self.count = 0
        self.complete = False

    def add(self, seconds, text, first=False):
        """Take one message, oldest first. ``first``: it is known to be the first of the boot."""
        if not self.count:
            self.complete = first or (seconds is not None and seconds < EARLY)
        self.count += 1
        if "Xid" in text:
            for pattern, rows in ((SXID, self.sxids), (XID, self.xids)):
                found = pattern.search(text)
                if found:
                    rows.append(_xid(found, seconds, text))
                    return
        kind = _kind(text)
        if kind:
            self.others.append({"kind": kind, "seconds": seconds, "text": text[:LONGEST]})

    def put_into(self, report):
        """Write the facts."""
        report.put("xids", list(self.xids))
        report.put("sxids", list(self.sxids))
        report.put("lines", list(self.others))
        report.put("complete", self.complete)


def _xid(found, seconds, text):
    pid, process = PID.search(text), PROCESS.search(text)
    return {
        "code": int(found.group(2)),
        "device": found.group(1).lower(),
        "seconds": seconds,
        "pid": int(pid.group(1)) if pid else None,
        "process": process.group(1).strip() if process else None,
        "text": text[:LONGEST],
    }


def _kind(text):
    if text.startswith("nouveau"):
        return "nouveau"
    for kind, words in KINDS:
        for word in words:
            if word in text:
                return None if any(usual in text for usual in ORDINARY) else kind
    return None
