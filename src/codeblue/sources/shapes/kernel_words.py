"""Kernel messages that matter for GPUs: how they are known, on a live machine and in pasted text."""

import re
from typing import Optional

MOST = 200
"""Messages of each kind that are kept, the newest."""
LONGEST = 300
"""Characters kept of a message."""

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


def kind_of(text: str) -> Optional[str]:
    """Return the kind of a message; None if it matters for no GPU."""
    if text.startswith("nouveau"):
        return "nouveau"
    if any(usual in text for usual in ORDINARY):
        return None
    return next((kind for kind, words in KINDS if any(word in text for word in words)), None)
