"""Resource limits of the judged process, or of one started by the probe. Runs as the judged user."""

import resource

from codeblue_probe.process import LIMITS
from codeblue_probe.report import Report


def read(context, sections):
    """Read the limits section."""
    if context.process:
        report = Report("%slimits" % context.process.folder)
        limits = context.process.limits()
    else:
        report = Report("getrlimit")
        limits = {name: _own(number) for name, (_, number) in LIMITS.items()}
    report.put("limits", {name: {"soft": soft, "hard": hard} for name, (soft, hard) in limits.items()})
    return report


def _own(number):
    return tuple(None if value == resource.RLIM_INFINITY else value for value in resource.getrlimit(number))
