"""Run the command line where a part of the machine is another: mounts, limits."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.trials.running import ROOT, torch_python


def trial(*arguments: str) -> list[str]:
    """Return the argv of a small trial in the interpreter that has torch."""
    return [
        sys.executable,
        "-m",
        "codeblue",
        "trial",
        *arguments,
        "--small",
        "--on",
        f"python:{torch_python()}",
    ]


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which the command line is found."""
    kept = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return kept | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"} | more


def told(argv: list[str], folder: Path, code: int | None = None) -> dict[str, Any]:
    """Return the snapshot's machine after a trial of the loader below ``argv``, e.g. another namespace."""
    facts = folder / "facts.json"
    command = [*argv, *trial("loader", "--snapshot", str(facts), "--format", "json")]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=200, check=False, env=environment(), cwd=folder
    )
    assert facts.exists(), done.stderr
    assert code is None or done.returncode == code, done.stdout
    views = json.loads(facts.read_text(encoding="utf-8"))["views"]
    machine: dict[str, Any] = next(view for view in views if view["kind"] == "probe")
    return machine
