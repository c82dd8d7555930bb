"""Run real trials in an interpreter that has torch; ``scripts/torch.sh`` makes one without a GPU."""

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codeblue.model.snapshot import View
from codeblue.pipeline import signatures
from codeblue.sources import live
from codeblue.sources.launch import Options, launch
from codeblue.sources.target import Target
from codeblue.sources.trial_text import worker
from codeblue.transport import local
from lab.hooks import changed_torch

__all__ = ["changed_torch", "needs_torch", "torch_python", "tried"]

ROOT = Path(__file__).parents[2]


@cache
def torch_python() -> str | None:
    """Return the interpreter that has torch: ``CODEBLUE_TORCH_PYTHON``, or ``.torch`` in this project."""
    python = os.environ.get("CODEBLUE_TORCH_PYTHON") or str(ROOT / ".torch" / "bin" / "python")
    if not Path(python).exists():
        return None
    done = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False)
    return python if done.returncode == 0 else None


needs_torch = pytest.mark.skipif(torch_python() is None, reason="no torch here: sh scripts/torch.sh")


def tried(
    *trials: str, environment: dict[str, str] | None = None, cwd: str | None = None, **wanted: Any
) -> View:
    """Return the view of a machine after small trials; ``wanted`` are further wishes of the conductor."""
    python = torch_python()
    assert python is not None
    orders = {"trials": list(trials), "small": True, "worker": worker(), **wanted}
    look = Options(budget=200, salt="0" * 32, cwd=cwd or str(ROOT), trials=orders)
    with pytest.MonkeyPatch.context() as changed:
        for name, value in (environment or {}).items():
            changed.setenv(name, value)
        launched = launch(Target("python", python, f"python:{python}"), look)
    try:
        *_, snapshot = live.snapshots(launched, signatures())
    finally:
        for one in launched:
            local.end(one.running)
    assert snapshot.machine is not None
    return snapshot.machine
