"""dmesg and journal lines: Xids and the other messages of the kernel that matter for GPUs.

What counts is what the probe takes from a live machine's log: both know it by ``shapes.kernel_words``.
"""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import KernelLine, KernelLog, Xid
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import command
from codeblue.sources.shapes.kernel_words import LONGEST, MOST, PID, PROCESS, SXID, XID, kind_of

STAMP = re.compile(
    r"^(?:<\d+>|kern *: *\w+ *: *)?"
    r"(?:\[ *(?P<seconds>\d+\.\d+)\](?:\[ *[TC]\d+\])? ?(?:\S+ kernel: )?"
    r"|\[\w{3} \w{3} [ \d]\d [\d:.]+ \d{4}\] "
    r"|(?:\w{3} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*) \S{1,64} kernel: "
    r"(?:\[ *\d+\.\d+\] ?)?)"
    r"(?P<text>.+)$"
)
"""dmesg with seconds, dmesg -T, journal and syslog. Lines of other programs are not the kernel's."""
BARE = re.compile(r"^(?P<text>NVRM: .+)$")

OLDER_BOOTS = re.compile(
    r"journalctl\b.*(?: -b ?-[1-9]| --boot[= ]-[1-9])|cat /var/log/|z?grep\b.* /var/log/"
)
"""Commands whose output may be of another boot."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the messages of the last boot that the text shows; an excerpt never is a whole log."""
    xids: list[Xid] = []
    sxids: list[Xid] = []
    others: list[KernelLine] = []
    source = ""
    old = False
    for line in lines:
        typed = command(line)
        if typed is not None:
            old = OLDER_BOOTS.match(typed) is not None
        found = None if old else STAMP.match(line.text) or BARE.match(line.text)
        if not found:
            continue
        text = found.group("text")
        seconds = found.groupdict().get("seconds")
        since = float(seconds) if seconds else None
        if hit := SXID.search(text):
            sxids.append(_xid(hit, since, text))
        elif hit := XID.search(text):
            xids.append(_xid(hit, since, text))
        elif kind := kind_of(text):
            others.append(KernelLine(kind=kind, seconds=since, text=text[:LONGEST]))
        else:
            continue
        source = source or line.place
    if source:
        yield KernelLog(
            xids=xids[-MOST:], sxids=sxids[-MOST:], lines=others[-MOST:], complete=False, source=source
        )


def _xid(found: re.Match[str], seconds: float | None, text: str) -> Xid:
    pid, process = PID.search(text), PROCESS.search(text)
    return Xid(
        code=int(found.group(2)),
        device=found.group(1).lower(),
        seconds=seconds,
        pid=int(pid.group(1)) if pid else None,
        process=process.group(1).strip() if process else None,
        text=text[:LONGEST],
    )
