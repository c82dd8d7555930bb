"""What the dynamic loader finds for the job, and what the wheels bring themselves."""

import re

from codeblue_probe import elf, files, ldso
from codeblue_probe.ldso import real_path
from codeblue_probe.report import Report
from codeblue_probe.wheels import SONAMES, Environment

ALWAYS = ("libcuda.so.1", "libnvidia-ml.so.1")
USUAL = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib")
VERSION = re.compile(r"\.so\.(\d+(?:\.\d+)+)$")


def read(context, sections):
    """Resolve the library names that GPU work needs; look for damaged and hidden copies."""
    report = Report("{key}")
    variables = context.environment
    search = ldso.Search(variables.get("LD_LIBRARY_PATH", ""), context.cwd)
    report.put("search_path", search.folders, "LD_LIBRARY_PATH")
    report.attempt("libraries", lambda: _libraries(search))
    folders = list(USUAL) + _compat_folders()
    report.attempt("libcuda_copies", lambda: search.copies("libcuda.so", folders))
    report.attempt("nvidia_ml_copies", lambda: search.copies("libnvidia-ml.so", folders))
    preload = re.split("[: ]+", variables.get("LD_PRELOAD", "").strip(": "))
    preload = [entry for entry in preload if entry]
    report.put("preload", preload, "LD_PRELOAD")
    report.attempt("preload_missing", lambda: [e for e in preload if not _loadable(e, search)])
    _environment(report, context, sections, search)
    return report


def _environment(report, context, sections, search):
    python = sections.get("python", {})
    if python.get("state") != "read":
        report.unread.update(environment="not-attempted", shadowed="not-attempted", damaged="not-attempted")
        return
    environment = Environment(python, context.cwd)
    report.attempt("environment", lambda: _own_copies(environment))
    report.attempt("shadowed", lambda: _shadowed(environment, search))
    report.attempt("damaged", environment.damaged)


def _libraries(search):
    rows = {}
    for name in SONAMES:
        path, via = search.find(name)
        if path:
            rows[name] = _row(path, via, None)
        elif name in ALWAYS:
            rows[name] = {"path": None, "real": None, "via": None, "size": None, "elf": None, "version": None}
    return rows


def _own_copies(environment):
    copies = environment.sonames()
    return {name: _row(path, "environment", environment.owner(path)[1]) for name, path in copies.items()}


def _row(path, via, version):
    real = real_path(path)
    try:
        state, size = elf.check(path)
    except FileNotFoundError:
        state, size = "unreadable", None
    in_name = VERSION.search(real)
    version = version or (in_name.group(1) if in_name else None)
    return {"path": path, "real": real, "via": via, "size": size, "elf": state, "version": version}


def _shadowed(environment, search):
    hidden = {}
    for name, path in environment.sonames().items():
        other = search.in_folders(name)
        if other and real_path(other) != real_path(path) and environment.lets_through(name, path):
            hidden[name] = other
    return hidden


def _loadable(entry, search):
    return files.exists(entry) if "/" in entry else search.find(entry)[0] is not None


def _compat_folders():
    try:
        names = files.names("/usr/local")
    except OSError:
        return []
    return ["/usr/local/%s/compat" % name for name in names if name.startswith("cuda")]
