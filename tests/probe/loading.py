"""Run one reader's real code under another interpreter, against a fake root folder."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

import codeblue
from codeblue.model.section import Section

PROBE = Path(codeblue.__file__).parent / "probe"
SHAPES = PROBE.parent / "sources" / "shapes"
"""Shipped with the probe."""
VERSIONS = tuple(f"3.{minor}" for minor in range(6, 14))
"""Every CPython that the probe promises to run on."""

S = TypeVar("S", bound=Section)

# Packages without their __init__: one reader can be tested without importing all the others.
PROGRAM = """
import json, sys, types
SETTINGS = json.loads(sys.stdin.read())
for name, folder in SETTINGS["packages"].items():
    package = types.ModuleType(name)
    package.__path__ = [folder]
    sys.modules[name] = package
import importlib
files = importlib.import_module("codeblue_probe.files")
files.ROOT = SETTINGS["root"]
from codeblue_probe.context import Context
from codeblue_probe.report import failed
reader = importlib.import_module("codeblue_probe.readers." + SETTINGS["reader"])
exec(SETTINGS["before"])
try:
    section = reader.read(Context(SETTINGS["config"]), SETTINGS["sections"]).document()
except Exception as error:
    section = failed(error)
sys.stdout.write(json.dumps(section))
"""


def interpreters() -> dict[str, str]:
    """Return version -> path of the interpreters at hand."""
    found = {}
    for version in VERSIONS:
        paths = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
        if paths:
            found[version] = str(paths[-1])
    return found


def document(
    reader: str,
    root: Path | str,
    python: str | None = None,
    environment: dict[str, str] | None = None,
    sections: dict[str, Any] | None = None,
    before: str = "",
    job_python: str | None = None,
    **config: Any,
) -> dict[str, Any]:
    """Return what a reader delivers as plain data, run by ``python`` (default: the oldest at hand).

    ``before`` is a program text that may change the module ``reader`` first; ``job_python`` is the
    interpreter that the reader looks at.
    """
    settings = {
        "packages": {
            "codeblue_probe": str(PROBE),
            "codeblue_probe.readers": str(PROBE / "readers"),
            "codeblue_probe.shapes": str(SHAPES),
        },
        "root": str(root),
        "reader": reader,
        "before": before,
        "sections": sections or {},
        "config": config | {"python": job_python},
    }
    done = subprocess.run(
        [python or next(iter(interpreters().values()), sys.executable), "-I", "-S", "-B", "-c", PROGRAM],
        input=json.dumps(settings),
        env={"PATH": os.environ["PATH"], "HOME": "/"} | (environment or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def section(kind: type[S], root: Path | str, **settings: Any) -> S:
    """Return the section that a reader named like it delivers: what it sends must decode into its type."""
    return msgspec.convert(document(kind.NAME, root, **settings), kind)


def tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a root folder; a text that begins with ``->`` makes a link. Returns the root."""
    for name, content in files.items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str) and content.startswith("->"):
            path.symlink_to(content[2:])
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root
