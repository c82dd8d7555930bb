"""PyTorch from its files: nothing is imported."""

import re

from codeblue_probe import files
from codeblue_probe.report import Absent, Report, Unread

FINDER = re.compile(r"__editable___torch_.*_finder\.py$")
EDITABLE = re.compile(r"""['"]torch['"]\s*:\s*['"]([^'"]+)['"]""")


def read(context, sections):
    """Find the torch that would be imported and read its version file."""
    python = sections.get("python", {})
    if python.get("state") != "read":
        raise Unread("not-attempted", "the interpreter's path was not read")
    folders = [context.cwd if entry == "." else entry for entry in python["path"]]
    location = _regular(folders) or _editable(folders)
    if location is None:
        return _namespace(folders, python)
    report = Report(location + "/version.py")
    report.put("location", location)
    report.put("namespace_only", False)
    if location.endswith(".py"):
        report.source = location
        return _without_version(report)
    try:
        content = files.text(location + "/version.py", 1 << 16)
    except FileNotFoundError:
        return _without_version(report)
    version = _value(content, "__version__")
    if version is None:
        report.unread["version"] = "error"
    else:
        report.put("version", version)
    report.put("cuda", _value(content, "cuda"))
    report.put("hip", _value(content, "hip"))
    return report


def _regular(folders):
    for folder in folders:
        if files.exists(folder + "/torch/__init__.py"):
            return folder + "/torch"
        if files.exists(folder + "/torch.py"):
            return folder + "/torch.py"
    return None


def _editable(folders):
    """Return the source folder of an editable installation, which a finder module maps."""
    for folder in folders:
        try:
            names = [name for name in files.names(folder) if FINDER.match(name)]
        except OSError:
            continue
        for name in names:
            found = EDITABLE.search(files.text(folder + "/" + name))
            if found and files.exists(found.group(1) + "/__init__.py"):
                return found.group(1)
    return None


def _namespace(folders, python):
    for folder in folders:
        if files.exists(folder + "/torch/."):
            report = Report(folder + "/torch")
            report.put("location", folder + "/torch")
            report.put("namespace_only", True)
            return _without_version(report)
    raise Absent("no torch on the path of %s" % python.get("executable"))


def _without_version(report):
    for field in ("version", "cuda", "hip"):
        report.unread[field] = "absent"
    return report


def _value(content, name):
    found = re.search(r"^%s\s*(?::[^=\n]+)?=\s*['\"]([^'\"]+)['\"]" % name, content, re.M)
    return found.group(1) if found else None
