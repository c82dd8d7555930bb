"""Jupyter kernels for Python, and whether they run in the job's environment."""

import json
import os

from codeblue_probe import files
from codeblue_probe.ldso import real_path
from codeblue_probe.report import Absent, Report, Unread

SHARED = ("/usr/local/share/jupyter", "/usr/share/jupyter")
MOST = 30


def read(context, sections):
    """Read the jupyter section."""
    python = sections.get("python", {})
    if python.get("state") != "read":
        raise Unread("not-attempted", "the job's interpreter is unknown")
    kernels = {}
    for folder in _folders(context, python["prefix"]):
        for name in _names(folder)[:MOST]:
            interpreter = _interpreter("%s/%s/kernel.json" % (folder, name))
            if interpreter and name not in kernels:  # the first folder of the search hides later ones
                kernels[name] = _kernel(interpreter, context, python["prefix"])
    if not kernels:
        raise Absent("no kernel.json for Python")
    report = Report("kernels/{key}/kernel.json")
    report.put("kernels", kernels)
    return report


def _folders(context, prefix):
    home = context.environment.get("HOME")
    given = context.environment.get("JUPYTER_PATH", "").split(os.pathsep)
    data = context.environment.get("JUPYTER_DATA_DIR") or (home + "/.local/share/jupyter" if home else "")
    places = given + [data, prefix + "/share/jupyter"] + list(SHARED)
    return [place + "/kernels" for place in places if place.startswith("/")]


def _names(folder):
    try:
        return files.names(folder)
    except OSError:
        return []


def _interpreter(path):
    """Return the program of a kernel for Python; None for other languages and for what is no kernel."""
    try:
        spec = json.loads(files.text(path, 1 << 16))
        words = spec["argv"] if spec.get("language") == "python" else []
        return words[0] if words and isinstance(words[0], str) else None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None


def _kernel(interpreter, context, prefix):
    row = {"interpreter": interpreter}
    if not interpreter.startswith("/"):  # the server's own interpreter, which is not known here
        return row
    row["exists"] = files.exists(interpreter)
    other = os.path.dirname(os.path.dirname(interpreter))
    row["own"] = real_path(other) == real_path(prefix)
    torch = _torch(other, context.environment.get("HOME"))
    if row["exists"] and torch is not None:
        row["torch"] = torch
    return row


def _torch(prefix, home):
    """Return whether an environment has torch; None if it borrows packages from elsewhere."""
    settings = files.pairs(_text(prefix + "/pyvenv.cfg"), "=")
    if settings.get("include-system-site-packages", "").lower() == "true":
        return None
    versions = [name for name in _names(prefix + "/lib") if name.startswith("python")]
    places = ["%s/lib/%s/site-packages" % (prefix, name) for name in versions]
    if prefix == "/usr":
        places += ["/usr/local/lib/%s/dist-packages" % name for name in versions]
        places.append("/usr/lib/python3/dist-packages")
    if home and not settings:
        places += ["%s/.local/lib/%s/site-packages" % (home, name) for name in versions]
    return any(files.exists(place + "/torch/__init__.py") for place in places)


def _text(path):
    try:
        return files.text(path, 4096)
    except OSError:
        return ""
