"""Whether something keeps the clock right."""

import ctypes
import os

from codeblue_probe.readers.services import COMM, running
from codeblue_probe.report import Report, Unread

DAEMONS = ("chronyd", "systemd-timesyncd", "ntpd", "ntpd-rs", "openntpd", "ptp4l", "phc2sys")
UNSYNCHRONISED = 0x40
"""STA_UNSYNC of linux/timex.h."""


class Timex(ctypes.Structure):
    """struct timex of linux/timex.h; what lies behind the clock itself is of no interest here."""

    _fields_ = [
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_char * 256),
    ]


def read(context, sections):
    """Read the clock section."""
    report = Report("adjtimex")
    report.attempt("synchronised", lambda: not _kernel().status & UNSYNCHRONISED)
    report.attempt("estimated_error", lambda: _kernel().esterror / 1e6)
    report.attempt("daemons", _daemons, "/proc")
    return report


def _kernel():
    """Ask the kernel without setting anything: all modes are zero."""
    library = ctypes.CDLL(None, use_errno=True)
    answer = Timex()
    if library.adjtimex(ctypes.byref(answer)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer


def _daemons():
    names = running()
    if names is None:
        raise Unread("denied", "the processes of others are hidden")
    return [name for name in DAEMONS if name[:COMM] in names]
