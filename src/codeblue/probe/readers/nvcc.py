"""The nvcc that torch would take to build an extension: CUDA_HOME, then PATH, then the usual folder."""

import json
import os
import re

from codeblue_probe import files
from codeblue_probe.report import Absent, Report

VARIABLES = ("CUDA_HOME", "CUDA_PATH")
USUAL = "/usr/local/cuda"
OLD = re.compile(r"CUDA Version ([0-9]+(?:\.[0-9]+)+)")
NUMBER = re.compile(r"^#define\s+CUDA_VERSION\s+([0-9]+)", re.MULTILINE)
LONGEST = 1 << 20


def read(context, sections):
    """Read the nvcc section; absent where there is no compiler."""
    told_by, home = _home(context.environment)
    path = home + "/bin/nvcc"
    if not files.exists(path):
        raise Absent("no %s" % path)
    report = Report(path)
    report.put("path", path)
    report.put("told_by", told_by)
    report.attempt("version", lambda: _version(home))
    return report


def _home(variables):
    """Return what names the toolkit, and its folder."""
    for name in VARIABLES:
        if variables.get(name):
            return name, variables[name].rstrip("/")
    for folder in variables.get("PATH", "").split(os.pathsep):
        if folder.startswith("/") and files.exists(folder.rstrip("/") + "/nvcc"):
            return "PATH", os.path.dirname(folder.rstrip("/")).rstrip("/")
    return "default", USUAL


def _version(home):
    """Return the release, as the files of the toolkit tell it; FileNotFoundError if none does."""
    for name, told in (("version.json", _listed), ("version.txt", _old)):
        if files.exists("%s/%s" % (home, name)):
            return told(files.text("%s/%s" % (home, name), LONGEST))
    targets = ["%s/targets/%s" % (home, name) for name in files.names(home + "/targets")]
    for folder in [home] + targets:
        if files.exists(folder + "/include/cuda.h"):
            return _defined(files.text(folder + "/include/cuda.h", LONGEST))
    raise FileNotFoundError(home)


def _listed(text):
    content = json.loads(text)
    return str((content.get("cuda_nvcc") or content["cuda"])["version"])


def _old(text):
    return OLD.search(text).group(1)


def _defined(text):
    number = int(NUMBER.search(text).group(1))
    return "%d.%d" % (number // 1000, number % 1000 // 10)
