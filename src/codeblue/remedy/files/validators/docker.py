"""daemon.json, as dockerd would read it."""

import os
import re
import shlex
from pathlib import Path
from typing import Any

from codeblue.model.plan import Refused
from codeblue.model.text import Message, message
from codeblue.remedy.files.edits import json_text
from codeblue.remedy.files.validators import programs

ALWAYS = frozenset({"runc", "io.containerd.runc.v2", "io.containerd.runtime.v1.linux"})
"""Runtimes that dockerd knows without being told."""
PLURALS = {"host": "hosts", "insecure-registry": "insecure-registries", "registry-mirror": "registry-mirrors"}
"""Flags whose key in the file has another name."""
UNITS = tuple(
    f"{folder}/systemd/system/docker.service"
    for folder in ("/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib")
)


def can_validate() -> bool:
    """Return whether this dockerd can be asked: docker 20.10 and older do not know how."""
    program = programs.found("dockerd")
    return bool(program) and b"--validate" in programs.asked([str(program), "--help"]).out


def name() -> Message:
    """Return what judges, for the preview."""
    if can_validate():
        return message("dockerd --validate", "dockerd --validate")
    return message("codeblue (this dockerd has no --validate)", "codeblue（此 dockerd 不支持 --validate）")


def complaint(temporary: str, path: str) -> str:
    """Return what is wrong with the file, empty if nothing."""
    try:
        content = json_text.parse(Path(temporary).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        return str(error)
    except Refused as refusal:
        return refusal.line.say("en")
    if words := _own(content, path):
        return words
    if not can_validate():
        return ""
    argv = [str(programs.found("dockerd")), "--validate", "--config-file", temporary]
    said = programs.asked(argv)
    return said.words if said.code else ""


def _own(content: Any, path: str) -> str:
    """What no version of dockerd says before it fails to start."""
    if not isinstance(content, dict):
        return "it must hold one object"
    runtimes = content.get("runtimes", {})
    if not isinstance(runtimes, dict):
        return "runtimes must be an object"
    default = content.get("default-runtime", "runc")
    if default not in ALWAYS and default not in runtimes and not str(default).startswith("io.containerd."):
        return f"default-runtime is {default!r}, which runtimes does not define"
    for runtime, settings in runtimes.items():
        if not isinstance(settings, dict) or not ({"path", "runtimeType"} & settings.keys()):
            return f"runtimes.{runtime} has no path"
    if path == "/etc/docker/daemon.json" and (twice := sorted(flags() & content.keys())):
        return f"docker.service gives {twice[0]} as a flag already; dockerd refuses to start with both"
    return ""


def flags(units: tuple[str, ...] = UNITS) -> set[str]:
    """Return the keys that the service gives as flags; drop-ins that replace ExecStart count."""
    unit = next((path for path in units if os.path.exists(path)), None)
    if unit is None:
        return set()
    texts = [Path(unit), *sorted(Path("/etc/systemd/system/docker.service.d").glob("*.conf"))]
    command: list[str] = []
    for text in texts:
        lines = text.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
        for line in re.findall(r"^ExecStart=(.*)$", lines, re.MULTILINE):
            command = _words(line)
    short = {"-H": "host", "-D": "debug", "-l": "log-level", "-G": "group", "-b": "bridge"}
    names = {
        short.get(word, word[2:].partition("=")[0]) for word in command if word in short or word[:2] == "--"
    }
    return {PLURALS.get(one, one) for one in names}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
