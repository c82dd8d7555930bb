"""The judged process itself: what it waits for, what it has mapped and opened, what it may do."""

import os
import re
import time

from codeblue_probe import files
from codeblue_probe.process import DELETED, PYTHON, STARTED
from codeblue_probe.report import Absent, Report
from codeblue_probe.sonames import LIBRARIES, by_soname

WANTED = tuple(LIBRARIES) + ("libnvidia-",)
PAUSE = 0.2
"""Seconds between two looks at a process that waits uninterruptibly."""

CAPABILITIES = {"sys_admin": 21, "ipc_lock": 14}
SECCOMP = {"0": "off", "1": "strict", "2": "filter"}
NODE = re.compile(r"/dev/(?:nvidia|dri/|infiniband/)")


def read(context, sections):
    """Read the process section."""
    process = context.process
    if process is None:
        raise Absent("no process was named")
    report = Report("/proc/%d/status" % process.pid)
    status = process.status()
    report.put("apart", context.apart[0] if context.apart else None, "/proc/%d/ns" % process.pid)
    report.put("namespaces", context.namespaces, "/proc/%d/ns" % process.pid)
    report.attempt("command", lambda: _command(process), "/proc/%d/cmdline" % process.pid)
    report.put("run_state", status["State"][:1])
    report.put("threads", int(status["Threads"]))
    for field, name in (("memory", "VmRSS"), ("memory_peak", "VmPeak"), ("memory_locked", "VmLck")):
        report.put(field, int(status[name].split()[0]) << 10 if name in status else None)
    report.put("seccomp", SECCOMP.get(status.get("Seccomp", "")))
    report.put("no_new_privs", status.get("NoNewPrivs") == "1" if "NoNewPrivs" in status else None)
    effective = int(status["CapEff"], 16)
    report.put("capabilities", [name for name, bit in CAPABILITIES.items() if effective >> bit & 1])
    report.attempt("age", lambda: _age(process), "/proc/%d/stat" % process.pid)
    report.attempt("uninterruptible", lambda: _waits(process), "/proc/%d/stat, twice" % process.pid)
    report.attempt("waits_in", lambda: _waits_in(process), "/proc/%d/wchan" % process.pid)
    _opened(report, process)
    _mapped(report, process)
    return report


def _command(process):
    """Return the program and the script or module that it runs; arguments may hold secrets."""
    arguments = process.arguments()
    program = os.path.basename((arguments[0].split() or [""])[0])
    if not program:
        return process.text("comm").strip()
    if PYTHON.match(program):
        return " ".join([program] + _script(arguments[1:]))
    return program


def _script(arguments):
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word in ("-W", "-X") and waiting:
            waiting.pop(0)
            continue
        option = re.match(r"-[A-VY-Za-bd-ln-z]*([mc])(.*)$", word)
        if option and option.group(1) == "m":
            return ["-m"] + ([option.group(2)] if option.group(2) else waiting[:1])
        if option:
            return ["-c"]
        if not word.startswith("-"):
            return [os.path.basename(word)]
    return []


def _age(process):
    ticks = int(process.stat()[STARTED])
    up = float(files.line("/proc/uptime").split()[0])
    return round(max(0.0, up - ticks / float(os.sysconf("SC_CLK_TCK"))), 1)


def _waits(process):
    """True if the process was in state D at two looks: a single one is every reader of a disk."""
    if process.stat()[0] != "D":
        return False
    time.sleep(PAUSE)
    return process.stat()[0] == "D"


def _waits_in(process):
    name = process.text("wchan").strip()
    return name if name not in ("", "0") else None


def _opened(report, process):
    folder = "/proc/%d/fd" % process.pid
    links = []

    def count():
        links.extend(_links(process))
        return len(links)

    report.attempt("open_files", count, folder)
    if "open_files" in report.facts:
        report.put("nodes", sorted({link for link in links if NODE.match(link)}), folder)
    else:
        report.unread["nodes"] = report.unread["open_files"]


def _links(process):
    for number in process.names("fd"):
        try:
            yield process.link("fd/" + number)
        except FileNotFoundError:  # closed meanwhile
            continue


def _mapped(report, process):
    source = "/proc/%d/maps" % process.pid
    paths = set()

    def wanted():
        rows = (row.split(None, 5) for row in process.text("maps").splitlines())
        paths.update(row[5] for row in rows if len(row) == 6 and _is_wanted(row[5]))
        return by_soname(sorted(path for path in paths if not path.endswith(DELETED)))

    report.attempt("libraries", wanted, source)
    if "libraries" in report.facts:
        gone = sorted(path[: -len(DELETED)] for path in paths if path.endswith(DELETED))
        report.put("deleted_libraries", gone, source)
    else:
        report.unread["deleted_libraries"] = report.unread["libraries"]


def _is_wanted(path):
    name = os.path.basename(path)
    return path.startswith("/") and ".so" in name and name.startswith(WANTED)
