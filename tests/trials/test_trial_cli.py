"""The command line of trials: bad input, files, interruptions, crashes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from codeblue.model.section import State, was_read
from tests.conftest import thorough
from tests.test_interrupted import MARK, started_by
from tests.trials.running import changed_torch, needs_torch, tried
from tests.trials.spaces import environment, trial

CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r")


def run(*arguments: str, cwd: Path | None = None, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line."""
    argv = [sys.executable, "-m", "codeblue", "trial", *arguments]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=200, check=False, env=environment(**more), cwd=cwd
    )


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["disk"], "disk"),
        (["gpu", "--gpus", "x"], "--gpus x"),
        (["gpu", "--gpus", "0,"], "--gpus 0,"),
        (["gpu", "--gpus", "3-1"], "--gpus 3-1"),
        (["gpu", "--gpus", "0-9999999"], "--gpus"),
        (["gpu", "--gpus", "²"], "--gpus"),
        (["loader", "--path", "/no/such/folder"], "/no/such/folder"),
        (["gpu", "--on", "file:snapshot.json"], "live target"),
        (["gpu", "--on", "ssh:node1"], "ssh:node1"),
        (["gpu", "-o", "/no/such/folder/report"], "/no/such/folder/report"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], word: str) -> None:
    started = time.monotonic()

    done = run(*arguments, "--lang", "en")

    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.strip().splitlines()
    assert word in line
    assert time.monotonic() - started < 20


def test_bad_input_is_told_in_chinese() -> None:
    assert "没有这个文件夹" in run("loader", "--path", "/no/such/folder", "--lang", "zh").stderr


@needs_torch
def test_a_gpu_that_was_asked_for_and_is_not_there(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [*trial("gpu", "--gpus", "1", "--format", "json"), "-o", str(report)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=environment(),
    )

    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")
    assert "no GPU" in json.loads(report.read_text(encoding="utf-8"))["not_tried"]["gpu"]


def on_a_terminal(argv: list[str], folder: Path, **changed: str) -> bytes:
    """Return what a command prints on a terminal that knows ASCII only."""
    ours, theirs = os.openpty()
    shown = environment(PYTHONIOENCODING="ascii", TERM="xterm", **changed)
    with subprocess.Popen(argv, env=shown, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        told = b""
        with suppress(OSError):  # it is closed at the other end
            while chunk := os.read(ours, 1 << 16):
                told += chunk
    os.close(ours)
    assert process.returncode == 0, told
    return told


@needs_torch
def test_a_narrow_terminal_without_colour_that_knows_ascii_only(tmp_path: Path) -> None:
    told = on_a_terminal(trial("gpu"), tmp_path, COLUMNS="50", NO_COLOR="1")

    assert told.isascii()
    lines = [CONTROL.sub(b"", line) for line in told.splitlines()]
    assert any(line.split()[1:4] == [b"matrix", b"product", b"fp32"] for line in lines)
    assert b"\x1b[3" not in told  # no colour


SLOW = """
import builtins, time
real = builtins.open
def slow(path, *arguments, **named):
    if "codeblue-trial-" in str(path):
        time.sleep(0.3)
    return real(path, *arguments, **named)
builtins.open = slow
"""
"""Small files of the trial take their time, so that it can be interrupted among them."""


@needs_torch
@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGINT, 130, marks=thorough),
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGKILL, -9, marks=thorough),
    ],
)
def test_nothing_is_left_of_an_interrupted_trial(tmp_path: Path, number: int, code: int) -> None:
    site, folder, mark = tmp_path / "site", tmp_path / "job", str(tmp_path)
    site.mkdir()
    folder.mkdir()
    hook = changed_torch(site, SLOW)["PYTHONPATH"]
    around = environment(**{MARK: mark})
    around["PYTHONPATH"] += f":{hook}"
    with subprocess.Popen(
        trial("loader"), env=around, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 90
        while not list(folder.iterdir()):
            assert time.monotonic() < until and process.poll() is None, "nothing was written"
            time.sleep(0.01)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    until = time.monotonic() + 20
    while (started_by(mark) or list(folder.iterdir())) and time.monotonic() < until:
        time.sleep(0.05)

    assert (process.returncode, errors.strip()) == (code, b"")
    assert started_by(mark) == set()
    assert list(folder.iterdir()) == []


ABORTS = """
import os
real, calls = module.mm, []
def mm(*arguments, **named):
    calls.append(1)
    if len(calls) > 3:
        os.abort()
    return real(*arguments, **named)
module.mm = mm
"""
HANGS = ABORTS.replace("os.abort()", "__import__('time').sleep(1000)")


@needs_torch
def test_a_crash_keeps_what_other_trials_measured(tmp_path: Path) -> None:
    view = tried("gpu", "loader", environment=changed_torch(tmp_path, ABORTS))

    [crashed] = view.gpu_trial.devices.values()
    [loader] = view.loader_trial.devices.values()
    assert crashed.error == f"the worker was ended by signal {signal.SIGABRT.value}"
    assert loader.error is None and was_read(loader, "feeds")


@needs_torch
def test_a_worker_that_hangs_is_ended_at_its_deadline(tmp_path: Path) -> None:
    started = time.monotonic()

    view = tried("gpu", "loader", environment=changed_torch(tmp_path, HANGS), deadlines={"gpu": 3})

    [hung] = view.gpu_trial.devices.values()
    assert hung.error == "no answer within 3 s"
    assert view.loader_trial.state is State.READ
    assert was_read(next(iter(view.loader_trial.devices.values())), "storage")
    assert time.monotonic() - started < 100
