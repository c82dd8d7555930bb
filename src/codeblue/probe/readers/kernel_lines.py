"""Kernel messages that matter for GPUs, picked from all others."""

from collections import deque

from codeblue_probe.shapes.kernel_words import LONGEST, MOST, PID, PROCESS, SXID, XID, kind_of

EARLY = 5.0
"""A log whose first message is younger than this, in seconds, holds the start of the boot."""


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
        kind = kind_of(text)
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
