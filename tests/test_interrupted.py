"""Interrupted in the middle: exit code, and no process that was started is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codeblue.sources.probe_text import standalone

MARK = "CODEBLUE_TEST_RUN"
"""A variable that every process started below a run inherits."""


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """An interpreter that never answers and has a child in a session of its own."""
    program = tmp_path / "python3"
    program.write_text("#!/bin/sh\nsetsid sleep 300 &\nsleep 300\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def started_by(mark: str) -> set[int]:
    """Return the living processes that carry the mark in their environment."""
    found = set()
    for entry in os.listdir("/proc"):
        try:
            environment = Path("/proc", entry, "environ").read_bytes() if entry.isdigit() else b""
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if f"{MARK}={mark}".encode() in environment.split(b"\0"):
            found.add(int(entry))
    return found


def interrupt(argv: list[str], hanging: Path, number: int) -> tuple[int, bytes, set[int]]:
    """Run a command until its interpreter hangs, send the signal; return code, errors, and what is left."""
    mark = str(hanging)
    environment = os.environ | {MARK: mark, "PATH": f"{hanging.parent}:{os.environ['PATH']}"}
    environment.pop("VIRTUAL_ENV", None)
    process = subprocess.Popen(argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while not any(b"sleep" in _command(pid) for pid in started_by(mark)):
        assert time.monotonic() < until, "the interpreter was not started"
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    until = time.monotonic() + 20
    while (left := started_by(mark)) and time.monotonic() < until:
        time.sleep(0.02)
    return process.returncode, errors.strip(), left


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("verb", ["check", "snapshot"])
def test_nothing_is_left(hanging: Path, verb: str, number: int, code: int) -> None:
    argv = [sys.executable, "-m", "codeblue", verb, f"python:{hanging}"]

    assert interrupt(argv, hanging, number) == (code, b"", set())


ENGINE = """#!/bin/sh
[ "$1" != cp ] || exec sleep 300
echo '[{"State": {"Status": "exited"}}]'
"""
"""It knows of a container that has ended, and takes forever to hand out its files."""


def test_nothing_is_left_of_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, temporary = tmp_path / "docker", tmp_path / "temporary"
    engine.write_text(ENGINE, encoding="utf-8")
    engine.chmod(0o755)
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    argv = [sys.executable, "-m", "codeblue", "check", "docker:trainer"]

    assert interrupt(argv, engine, signal.SIGTERM) == (143, b"", set())
    assert not list(temporary.iterdir())


def test_the_probe_as_one_file(hanging: Path, tmp_path: Path) -> None:
    program = tmp_path / "probe.py"
    program.write_text(
        standalone().replace('next_boot\\": true', f'python\\": \\"{hanging}\\"'), encoding="utf-8"
    )

    assert interrupt([sys.executable, str(program)], hanging, signal.SIGINT) == (130, b"", set())
