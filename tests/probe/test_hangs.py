"""Nothing that hangs costs more than its own section and the budget."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.probe.test_agent import answers

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc builds the library that hangs")

HANGING = """
#include <unistd.h>
int cuInit(unsigned flags) { for (;;) pause(); }
"""
CRASHING = """
#include <stdlib.h>
int cuInit(unsigned flags) { abort(); }
"""


def library(folder: Path, source: str) -> dict[str, str]:
    """Build a libcuda of our own and return the environment that finds it."""
    code = folder / "cuda.c"
    code.write_text(source, encoding="utf-8")
    command = ["gcc", "-shared", "-fPIC", "-w", "-Wl,-soname,libcuda.so.1", "-o"]
    subprocess.run([*command, str(folder / "libcuda.so.1"), str(code)], check=True)
    return {"LD_LIBRARY_PATH": str(folder)}


def sections(environment: dict[str, str], **config: Any) -> tuple[dict[str, Any], float]:
    """Return the sections of a probe that knows a libcuda of ours, and the seconds it took."""
    started = time.monotonic()
    *_, document = answers(sys.executable, environment, budget=3, until="libraries", **config)
    found: dict[str, Any] = document["sections"]
    return found, time.monotonic() - started


def test_a_driver_call_that_never_returns(tmp_path: Path) -> None:
    found, seconds = sections(library(tmp_path, HANGING))

    assert found["cuda"]["state"] == "timeout"
    assert "no answer within" in found["cuda"]["reason"]
    assert (found["host"]["state"], found["loader"]["state"]) == ("read", "read")
    assert seconds < 15


def test_a_driver_call_that_crashes(tmp_path: Path) -> None:
    found, _ = sections(library(tmp_path, CRASHING))

    assert (found["cuda"]["state"], found["cuda"]["reason"]) == ("error", "killed by signal 6")
    assert found["host"]["state"] == "read"


def test_a_program_that_is_stopped(tmp_path: Path) -> None:
    stopped = tmp_path / "nvidia-smi"
    stopped.write_text(f"#!/bin/sh\nkill -{signal.SIGSTOP.value} $$\n", encoding="utf-8")
    stopped.chmod(0o755)

    found, seconds = sections({"PATH": f"{tmp_path}:{os.environ['PATH']}"})

    assert found["nvidia_smi"]["state"] == "timeout"
    assert seconds < 15
