"""The job's interpreter, asked the way the job starts it, and what lies on its path."""

import ast
import os
import random

from codeblue_probe import distributions, files, running, shadows
from codeblue_probe.children import within
from codeblue_probe.ldso import real_path
from codeblue_probe.report import Report, Unread

SECONDS = 8
MOST_TORCHES = 10
ELSEWHERE = 2
"""Seconds for looking at other environments."""

# The child imports nothing: a local json.py or re.py must neither break it nor be run by it.
# Python 2 understands it too, so that its version is told.
CHILD = """\
import sys
loaded = dict(sys.modules)
os, site = loaded["os"], loaded.get("site")
names = sys.argv[2].split(",")
facts = {
    "executable": sys.executable or "",
    "version": "%d.%d.%d" % sys.version_info[:3],
    "implementation": getattr(getattr(sys, "implementation", None), "name", "cpython"),
    "bits": 64 if sys.maxsize > 2**32 else 32,
    "prefix": sys.prefix,
    "base_prefix": getattr(sys, "real_prefix", getattr(sys, "base_prefix", sys.prefix)),
    "path": [str(entry) for entry in sys.path],
    "user_site": getattr(site, "USER_SITE", None),
    "builtin": [name for name in names if name in sys.builtin_module_names],
    "loaded": dict((name, getattr(loaded[name], "__file__", None)) for name in names if name in loaded),
}
try:
    text = ascii(facts)
except NameError:
    text = repr(facts)
os.write(1, (sys.argv[1] + text + sys.argv[1]).encode("ascii"))
"""


def read(context, sections):
    """Start the interpreter once, then look through the folders of its path."""
    cwd = running.folder(context)
    facts = ask(context, cwd)
    report = Report(facts["executable"] or context.python)
    for field in ("executable", "version", "implementation", "bits", "prefix", "base_prefix"):
        report.put(field, facts[field])
    report.put("environment", _kind(facts))
    here = real_path(cwd)
    folders = [os.path.join(cwd, entry) if entry else cwd for entry in facts["path"]]
    folders = [cwd if real_path(folder) == here else folder for folder in folders]
    report.put("path", ["." if folder == cwd else folder for folder in folders])
    user_site = facts["user_site"]
    report.put("user_site", user_site if user_site in facts["path"] else None)
    found = distributions.Distributions(folders, cwd)
    report.attempt("distributions", found.table)
    report.attempt("duplicates", found.duplicates)
    report.attempt("shadows", lambda: _shadows(context, cwd, facts, folders))
    # In a child: a home on a dead file server must not take along what concerns this interpreter.
    report.attempt("other_torches", lambda: within(ELSEWHERE, lambda: other_torches(context, facts)))
    return report


def ask(context, cwd):
    """Return what the interpreter says about itself. Raises Unread with its last words."""
    marker = "%032x" % random.SystemRandom().getrandbits(128)
    argv = [context.python, "-c", CHILD, marker, ",".join(shadows.NAMES)]
    try:
        outcome = running.run(argv, SECONDS, cwd, context.environment)
    except OSError as error:
        raise Unread("denied" if isinstance(error, PermissionError) else "error", str(error))
    if outcome.code is None:
        raise Unread("timeout", "%s gave no answer within %d s" % (context.python, SECONDS))
    parts = outcome.output.decode("utf-8", "replace").split(marker)
    if len(parts) < 3:
        words = running.last_words(outcome.errors) or running.last_words(outcome.output)
        raise Unread("error", "%s ended with %d: %s" % (context.python, outcome.code, words))
    return _native(ast.literal_eval(parts[1]))


def _native(value):
    """Return the child's texts in this interpreter's spelling of file names.

    An older interpreter under LANG=C spells every letter beyond ASCII as a surrogate.
    """
    if isinstance(value, dict):
        return {key: _native(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_native(item) for item in value]
    return os.fsdecode(value.encode("utf-8", "surrogateescape")) if isinstance(value, str) else value


def _kind(facts):
    prefix = facts["prefix"]
    if files.exists(prefix + "/conda-meta"):
        return "conda"
    if prefix != facts["base_prefix"]:
        return "venv"
    return "system" if prefix in ("/", "/usr", "/usr/local") else "other"


def _shadows(context, cwd, facts, folders):
    if cwd != context.cwd:
        raise Unread("denied", "the judged user may not enter " + context.cwd)
    variable = context.environment.get("PYTHONPATH", "")
    given = [os.path.join(cwd, entry) for entry in variable.split(os.pathsep) if entry]
    local = {real_path(entry) for entry in given}
    if "" in facts["path"]:
        local.add(real_path(cwd))
    return shadows.Shadows(folders, local, cwd, facts["builtin"], facts["loaded"]).table()


def other_torches(context, facts):
    """Return other interpreters at hand whose folders hold torch, at most ten."""
    own = {real_path(facts["prefix"])} | {real_path(folder) for folder in facts["path"] if folder}
    found = []
    for prefix in _prefixes(context):
        for version, folder in _site_folders(prefix):
            seen = real_path(folder) in own or real_path(prefix) == real_path(facts["prefix"])
            if not seen and files.exists(folder + "/torch/__init__.py"):
                found += _interpreters(prefix, version)[:1]
                own.add(real_path(folder))
    return sorted(set(found), key=found.index)[:MOST_TORCHES]


def _prefixes(context):
    home = context.environment.get("HOME", "")
    prefixes = [context.environment.get("CONDA_PREFIX"), context.cwd + "/.venv", context.cwd + "/venv"]
    prefixes += [home + "/.venv", home + "/.local"] if home else []
    roots = ["/opt/conda"] + ([home + "/miniconda3", home + "/anaconda3"] if home else [])
    for root in roots:
        prefixes += [root] + ["%s/envs/%s" % (root, name) for name in _names(root + "/envs")]
    for name in _names("/opt"):
        prefixes += ["/opt/" + name, "/opt/%s/.venv" % name]
    return [prefix for prefix in prefixes if prefix] + ["/usr/local", "/usr"]


def _site_folders(prefix):
    pairs = []
    for name in _names(prefix + "/lib"):
        if name.startswith("python"):
            for site in ("site-packages", "dist-packages"):
                pairs.append((name, "%s/lib/%s/%s" % (prefix, name, site)))
    return pairs


def _interpreters(prefix, version):
    folders = (prefix, "/usr/local", "/usr")  # ~/.local has packages, but no interpreter of its own
    names = ["%s/bin/%s" % (folder, version) for folder in folders] + [prefix + "/bin/python"]
    return [name for name in names if files.exists(name)]


def _names(folder):
    try:
        return files.names(folder)
    except OSError:
        return []
