"""One plain run of nvidia-smi, for its own words; the facts about GPUs come from NVML."""

import os
import re

from codeblue_probe import files, running
from codeblue_probe.report import Absent, Report

SECONDS = 10
LONGEST = 400
USUAL = ("/usr/bin", "/usr/local/nvidia/bin", "/usr/lib/wsl/lib")
# Branch 610 writes "KMD Version" where older branches write "Driver Version".
BANNER = re.compile(r"NVIDIA-SMI\s+[\w.-]+.*?\b(?:Driver|KMD)\s+Version\s*:\s*\d+\.\d+")
DATE = re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d")


def read(context, sections):
    """Run it once, stop it after ten seconds."""
    path = _find(context.environment.get("PATH", ""))
    report = Report(path)
    report.put("path", path)
    outcome = running.run([files.ROOT + path], SECONDS, "/", context.environment, own_group=True)
    report.put("exit_code", outcome.code)
    output = running.clean(outcome.output) + "\n" + running.clean(outcome.errors)
    rows = [" ".join(row.split()) for row in output.split("\n")]
    banner = next((row.strip("| ") for row in rows if BANNER.search(row)), None)
    report.put("recognised", banner is not None)
    words = _words(rows, banner)
    report.put("words", words if outcome.code is not None else "no answer within %d s" % SECONDS)
    return report


def _find(variable):
    for folder in variable.split(os.pathsep) + list(USUAL):
        path = folder + "/nvidia-smi"
        if folder.startswith("/") and os.access(files.ROOT + path, os.X_OK) and files.exists(path):
            return path
    raise Absent("nvidia-smi is neither on PATH nor in %s" % ", ".join(USUAL))


def _words(rows, banner):
    """Return the banner and what stands outside the table: the table names programs of other users."""
    said = [row for row in rows if row and row[0] not in "|+" and not DATE.match(row)]
    return " ".join(([banner] if banner else []) + said)[:LONGEST]
