"""Resource limits of a process started by the probe. Runs as the judged user."""

import resource

from codeblue_probe.report import Report

NAMES = {
    "address_space": resource.RLIMIT_AS,
    "memlock": resource.RLIMIT_MEMLOCK,
    "files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "stack": resource.RLIMIT_STACK,
    "core": resource.RLIMIT_CORE,
    "cpu_seconds": resource.RLIMIT_CPU,
    "file_size": resource.RLIMIT_FSIZE,
}


def read(context, sections):
    """Read the limits section."""
    report = Report("getrlimit")
    report.put("limits", {name: _limit(number) for name, number in NAMES.items()})
    return report


def _limit(number):
    soft, hard = resource.getrlimit(number)
    return {"soft": _value(soft), "hard": _value(hard)}


def _value(limit):
    return None if limit == resource.RLIM_INFINITY else limit
