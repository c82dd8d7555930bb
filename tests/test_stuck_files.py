"""The command line on a machine with a dead file system: it answers in time and says what is missing."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeblue.sources.probe_text import standalone
from tests.stuck import Stuck, needs_fuse, stuck

pytestmark = [pytest.mark.root, needs_fuse]

BUDGET = 4
SLACK = 12
"""Seconds beyond the budget: folders that are asked first, the start of Python, a slow machine."""


@pytest.fixture
def dead(tmp_path: Path) -> Path:
    """A folder whose file system will not answer."""
    folder = tmp_path / "dead"
    folder.mkdir()
    return folder


@pytest.fixture
def machine(dead: Path) -> Iterator[Stuck]:
    """The namespace in which it does not."""
    with stuck(dead) as mounted:
        yield mounted


def run(machine: Stuck, argv: list[str], **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command where the file system is dead, and hold it to its budget."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    started = time.monotonic()
    done = subprocess.run(
        machine.inside(argv),
        env=kept | {"LC_ALL": "C.UTF-8"} | environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert time.monotonic() - started < BUDGET + SLACK
    return done


def told(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    """Return the sections of the snapshot that was written."""
    assert done.returncode == 0, done.stderr
    [view] = json.loads(done.stdout)["views"]
    assert view["host"]["state"] == view["pci"]["state"] == "read"
    sections: dict[str, Any] = view
    return sections


def only_the_stuck_are_left(machine: Stuck) -> bool:
    """True if there are processes in state D and no others."""
    for _ in range(100):
        if machine.members() == machine.waiting() != []:
            return True
        time.sleep(0.05)
    return False


def snapshot(command: list[str], *more: str) -> list[str]:
    """Return the argv of a snapshot of the interpreter that runs the tests."""
    return [*command, "snapshot", f"python:{sys.executable}", "--budget", str(BUDGET), *more]


@pytest.mark.parametrize("variable", ["HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"])
def test_a_home_that_does_not_answer(machine: Stuck, dead: Path, command: list[str], variable: str) -> None:
    done = run(machine, snapshot(command), **{variable: str(dead)})
    view = told(done)

    assert view["python"]["state"] == "read"
    assert "total" in view["filesystems"]["filesystems"]["/"]
    if variable in ("HOME", "XDG_CACHE_HOME"):
        assert view["filesystems"]["filesystems"]["cache"] == {"kind": "fuse"}
    else:
        assert f"{dead}/codeblue: does not answer and was passed over" in done.stderr
    assert only_the_stuck_are_left(machine)


def test_a_working_directory_that_does_not_answer(machine: Stuck, dead: Path, command: list[str]) -> None:
    enter = ["sh", "-c", 'cd "$0" && exec "$@"', str(dead)]
    done = run(machine, [*enter, *snapshot(command)])
    view = told(done)

    assert view["filesystems"]["filesystems"]["cwd"] == {"kind": "fuse"}
    assert (view["python"]["state"], view["torch_trial"]["state"]) == ("timeout", "not-attempted")
    assert "was left behind" in view["python"]["reason"]
    assert f"{dead}: does not answer and was passed over" in done.stderr
    assert only_the_stuck_are_left(machine)


def test_a_folder_on_the_path_that_does_not_answer(machine: Stuck, dead: Path, command: list[str]) -> None:
    path = f"{dead}:{Path(sys.executable).parent}:{os.defpath}"
    done = run(machine, [*command, "snapshot", "--budget", str(BUDGET)], PATH=path)
    view = told(done)

    assert view["python"]["state"] == "read"
    assert view["nvidia_smi"]["state"] == "timeout"
    assert f"{dead}/python3: does not answer and was passed over" in done.stderr


def test_an_active_environment_that_does_not_answer(machine: Stuck, dead: Path, command: list[str]) -> None:
    done = run(machine, [*command, "snapshot", "--budget", str(BUDGET)], VIRTUAL_ENV=str(dead))

    assert told(done)["python"]["state"] == "timeout"


def test_packages_that_do_not_answer(tmp_path: Path, command: list[str]) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    [packages] = (tmp_path / "env" / "lib").glob("python3*/site-packages")
    with stuck(packages) as machine:
        argv = [*command, "check", f"python:{tmp_path}/env/bin/python", "--budget", str(BUDGET)]
        done = run(machine, argv)

        assert "python: timeout" in done.stdout
        assert done.returncode in (1, 3)  # 1 if the machine that runs the tests has another trouble
        assert only_the_stuck_are_left(machine)


def test_shared_memory_that_does_not_answer(command: list[str]) -> None:
    with stuck(Path("/dev/shm")) as machine:
        disks = told(run(machine, snapshot(command)))["filesystems"]["filesystems"]

    assert disks["/dev/shm"] == {"kind": "fuse"}
    assert "total" in disks["/tmp"]


@pytest.fixture
def sleeper(tmp_path: Path) -> Path:
    """A program without shared libraries: with a dead LD_LIBRARY_PATH no other comes to its first line."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc builds the program")
    code, program = tmp_path / "sleeper.c", tmp_path / "sleeper"
    code.write_text("#include <unistd.h>\nint main(void) { pause(); }\n", encoding="utf-8")
    subprocess.run(["gcc", "-static", "-o", str(program), str(code)], check=True)
    return program


@pytest.mark.parametrize(
    ("variable", "late"),
    [("LD_LIBRARY_PATH", {"loader", "python", "cuda", "nvml"}), ("PATH", {"nvidia_smi"}), ("HOME", set())],
)
def test_a_process_whose_folders_do_not_answer(
    machine: Stuck, dead: Path, command: list[str], sleeper: Path, variable: str, late: set[str]
) -> None:
    environment = {"PATH": os.defpath} | {variable: str(dead)}
    # env looks up nothing if it is given a path, and sets the variable when it is at work itself.
    settings = [f"{name}={value}" for name, value in environment.items()]
    process = subprocess.Popen(machine.inside(["env", "-i", *settings, str(sleeper)]))
    try:
        argv = [*command, "snapshot", f"pid:{process.pid}", "--budget", str(BUDGET)]
        view = told(run(machine, argv))
    finally:
        process.kill()
        process.wait()

    assert view["process"]["state"] == "read"
    assert {name for name in late if view[name]["state"] != "timeout"} == set()


UNUSABLE = {
    "log": ["check", "--fast", "--log", "{dead}/train.log"],
    "recording": ["check", "file:{dead}/node.json"],
    "root": ["check", "chroot:{dead}"],
    "interpreter": ["check", "python:{dead}/bin/python"],
    "configuration": ["check", "--config", "{dead}/codeblue.toml"],
    "output": ["snapshot", "--budget", str(BUDGET), "-o", "{dead}/node.json"],
}


@pytest.mark.parametrize("words", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_what_the_user_names_must_answer(
    machine: Stuck, dead: Path, command: list[str], words: list[str]
) -> None:
    argv = [*command, "--lang", "zh", *(word.format(dead=dead) for word in words)]
    done = run(machine, argv)

    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"codeblue: {dead}")
    assert "其文件系统没有响应" in line


def test_an_engine_that_is_stuck_itself(
    machine: Stuck, dead: Path, command: list[str], tmp_path: Path
) -> None:
    # Its first answer comes: only what it is to hand out lies on the dead file system.
    engine = tmp_path / "bin" / "docker"
    engine.parent.mkdir()
    engine.write_text(
        f'#!/bin/sh\n[ "$1" != cp ] || exec cat {dead}/file\n'
        """echo '[{"State": {"Status": "exited"}}]'\n""",
        encoding="utf-8",
    )
    engine.chmod(0o755)
    path = f"{engine.parent}:{os.environ['PATH']}"
    argv = [*command, "check", "docker:trainer", "--budget", str(BUDGET), "--format", "json"]
    done = run(machine, argv, PATH=path)

    assert any("(the time was over)" in note for note in json.loads(done.stdout)["notes"])
    assert only_the_stuck_are_left(machine)


def test_the_probe_as_one_file(machine: Stuck, dead: Path, tmp_path: Path) -> None:
    program = tmp_path / "probe.py"
    program.write_text(standalone().replace('next_boot\\": true', f'budget\\": {BUDGET}'), encoding="utf-8")
    enter = ["sh", "-c", 'cd "$0" && exec "$@"', str(dead)]
    done = run(machine, [*enter, sys.executable, "-I", "-S", str(program)], HOME=str(dead))

    answer = done.stdout.splitlines()[-1].partition(":")[2]
    sections = json.loads(answer)["sections"]
    assert (sections["host"]["state"], sections["python"]["state"]) == ("read", "timeout")
    assert only_the_stuck_are_left(machine)
