"""The configuration file of the docker daemon: is it sound, and the settings that matter here."""

import json
import re

from codeblue_probe import files

ROOTFUL = "/etc/docker/daemon.json"
SNAP = "/var/snap/docker/current/config/daemon.json"
FLAG = "--config-file"
STRAY = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')
"""A string, or a comma before a closing bracket."""


def place(arguments, rootless, snap, environment):
    """Return where the daemon with this command line looks for its file."""
    for position, argument in enumerate(arguments):
        name, sep, value = argument.partition("=")
        if name == FLAG:
            return value if sep else "".join(arguments[position + 1 : position + 2])
    if snap:
        return SNAP
    if rootless:
        folder = environment.get("XDG_CONFIG_HOME") or environment.get("HOME", "") + "/.config"
        return folder + "/docker/daemon.json"
    return ROOTFUL


def read(path):
    """Return the file as a row of facts. Raises OSError."""
    content = files.text(path).lstrip("\ufeff").strip("\0")
    row = {"path": path, "error": None, "line": None, "column": None, "only_commas": False}
    settings = {}
    lead = len(content) - len(content.lstrip())
    if content.strip():
        try:
            # What stands behind the first value is not read by docker either.
            settings = json.JSONDecoder().raw_decode(content, lead)[0]
        except ValueError as error:
            row.update(error=error.msg, line=error.lineno, column=error.colno)
            row["only_commas"] = _sound(STRAY.sub(lambda found: found.group(1) or "", content))
            return row
    if settings is None:
        settings = {}
    if not isinstance(settings, dict):
        row.update(error="not an object", line=1, column=1)
        return row
    return dict(row, **_chosen(settings))


def _sound(content):
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


def _chosen(settings):
    features = _table(settings.get("features"))
    return {
        "runtimes": sorted(_table(settings.get("runtimes"))),
        "default_runtime": _text(settings.get("default-runtime")),
        "exec_opts": [str(option) for option in _list(settings.get("exec-opts"))],
        "default_shm_size": _text(settings.get("default-shm-size")),
        "default_ulimits": sorted(_table(settings.get("default-ulimits"))),
        "cdi": features.get("cdi") if isinstance(features.get("cdi"), bool) else None,
        "data_root": _text(settings.get("data-root")),
    }


def _table(value):
    return value if isinstance(value, dict) else {}


def _list(value):
    return value if isinstance(value, list) else []


def _text(value):
    return None if value is None else str(value)
