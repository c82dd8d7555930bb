"""Kernel messages of the current boot: the ring buffer itself, else dmesg, else the journal.

Log files are not read: what stands in them may be of another boot.
"""

import errno
import os
import re

from codeblue_probe import files
from codeblue_probe.readers.kernel_lines import Lines
from codeblue_probe.report import Report, Unread
from codeblue_probe.running import output

RECORD = 1 << 14
"""More than the longest record; a shorter buffer gets EINVAL."""

MOST_RECORDS = 200000
STAMP = re.compile(r"(?:<\d+>)?\[\s*(\d+\.\d+)\](?:\[\s*[TC]\d+\])? ?(?:\S+ kernel: )?(.*)")
"""A line of dmesg, or of the journal with the name of the host and of the program."""

JOURNAL = ["journalctl", "-k", "-b", "-o", "short-monotonic", "--no-pager", "-q", "-n", "20000"]


def read(context, sections):
    """Read the kernel_log section from the first source that answers."""
    refusals = []
    for source, look in (("/dev/kmsg", _ring), ("dmesg", _dmesg), (" ".join(JOURNAL[:3]), _journal)):
        try:
            lines = look()
        except (OSError, Unread) as error:
            refusals.append((source, error))
            continue
        report = Report(source)
        lines.put_into(report)
        return report
    raise _unread(refusals)


def _unread(refusals):
    words = "; ".join("%s: %s" % (source, error) for source, error in refusals)
    if all(isinstance(error, FileNotFoundError) for _, error in refusals):
        return Unread("unsupported", words)
    late = [error for _, error in refusals if isinstance(error, Unread) and error.state == "timeout"]
    return Unread("timeout" if late else "denied", words)


def _ring():
    descriptor = os.open(files.ROOT + "/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    lines = Lines()
    try:
        for _ in range(MOST_RECORDS):
            try:
                record = os.read(descriptor, RECORD)
            except OSError as error:
                if error.errno == errno.EPIPE:  # overwritten while we read: go on with the next
                    continue
                if error.errno == errno.EAGAIN:
                    break
                raise
            if not record:
                break
            _take(record.decode("utf-8", "replace"), lines)
    finally:
        os.close(descriptor)
    return lines


def _take(record, lines):
    """Add ``priority,sequence,microseconds,flags;text``; rows that start with a space are its fields."""
    for row in record.split("\n"):
        head, mark, text = row.partition(";")
        numbers = head.split(",")
        if mark and row[0] != " " and len(numbers) > 2 and numbers[2].isdigit():
            lines.add(int(numbers[2]) / 1e6, text, first=numbers[1] == "0")


def _dmesg():
    code, out, words = output(["dmesg"], 2)
    if code != 0:
        raise Unread("denied", words or "exit code %d" % code)
    return _stamped(out)


def _journal():
    # Without the right to read the system's journal it ends with 0 or 1 and shows nothing.
    _, out, words = output(JOURNAL, 2)
    lines = _stamped(out)
    if not lines.count:
        raise Unread("denied", words or "no kernel messages in the journal")
    return lines


def _stamped(out):
    lines = Lines()
    for row in out.splitlines():
        found = STAMP.match(row)
        if found:
            lines.add(float(found.group(1)), found.group(2))
        elif row:
            lines.add(None, row)
    return lines
