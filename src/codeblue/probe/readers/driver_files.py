"""The driver's user-space libraries on disk, with the version in their names."""

import os
import re

from codeblue_probe import files
from codeblue_probe.ldso import real_path
from codeblue_probe.report import Report

FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
    "/usr/lib/wsl/lib",
    "/run/opengl-driver/lib",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/lib64",
)
NESTED = (("/usr/lib", ""), ("/usr/lib64", ""), ("/usr/lib/x86_64-linux-gnu", "/current"))
"""Folders that may hold one named nvidia*, and where the libraries lie below that."""

SONAMES = {
    "libcuda": "libcuda.so.1",
    "libnvidia-ml": "libnvidia-ml.so.1",
    "libnvidia-ptxjitcompiler": "libnvidia-ptxjitcompiler.so.1",
    "libnvidia-nvvm": "libnvidia-nvvm.so.4",
}
NAME = re.compile(r"(libcuda|libnvidia-(?:ml|ptxjitcompiler|nvvm))\.so((?:\.\d+)+)$")
STALE = ("libcuda.so.1", "libnvidia-ml.so.1")


def read(context, sections):
    """Read the driver_files section."""
    report = Report("{key}")
    stale = {}
    report.attempt("libraries", lambda: _libraries(stale))
    if "libraries" in report.facts:
        report.put("stale_links", stale)
    return report


def _libraries(stale):
    libraries, folders, real_files = {}, set(), set()
    for folder in _folders():
        real = real_path(folder)
        if real in folders or not os.path.isdir(files.place(folder)):
            continue
        folders.add(real)
        for name in files.names(folder):
            if name.startswith("lib") and NAME.match(name):
                _library(folder + "/" + name, name, libraries, real_files, stale)
    return libraries


def _folders():
    nested = []
    for parent, below in NESTED:
        names = files.names(parent) if os.path.isdir(files.place(parent)) else []
        nested += ["%s/%s%s" % (parent, name, below) for name in names if name.startswith("nvidia")]
    return list(FOLDERS) + nested


def _library(path, name, libraries, real_files, stale):
    real = real_path(path)
    stem, numbers = NAME.match(name).groups()
    if not files.exists(path):
        if name in STALE:
            stale[path] = files.target(path)
        return
    version = _version(numbers[1:])
    # Links such as libcuda.so.1 stand for the file they lead to; a plain file of that name is a copy.
    if real in real_files or (version is None and files.target(path) is not None):
        return
    real_files.add(real)
    libraries[path] = {
        "soname": SONAMES[stem],
        "version": version,
        "size": os.path.getsize(files.place(path)),
    }


def _version(numbers):
    # 580.159.04 or 460.39; the .1 of a soname and WSL's libcuda.so.1.1 are no driver versions.
    parts = numbers.split(".")
    return numbers if len(parts) in (2, 3) and int(parts[0]) >= 100 else None
