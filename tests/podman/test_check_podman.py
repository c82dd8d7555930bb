"""``codeblue check podman:NAME`` against a real podman, as root and rootless."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.podman.private import IMAGE, PrivatePodman
from tests.stuck import needs_fuse, stuck
from tests.test_cli import Run

SLEEP = ("sleep", "600")


@pytest.fixture
def run(tmp_path: Path, podman: PrivatePodman) -> Run:
    """codeblue of root that sees the private containers."""
    runner = Run(tmp_path / "state")
    runner.environment |= podman.own
    return runner


@pytest.fixture(scope="module")
def trainer(podman: PrivatePodman) -> Iterator[str]:
    """A container that does nothing for a while."""
    podman.client("run", "-d", "--name", "trainer", "--shm-size", "4m", IMAGE, *SLEEP)
    yield "trainer"
    podman.client("rm", "--force", "--time", "0", "trainer")


def checked(run: Run, target: str, code: int) -> dict[str, Any]:
    """Return the document of a check that ends with this exit code."""
    document: dict[str, Any] = json.loads(
        run("check", target, "--budget", "90", "--format", "json", code=code).stdout
    )
    return document


def state(document: dict[str, Any], layer: str) -> str:
    """Return the state of one layer inside."""
    [found] = [barrier["state"] for barrier in document["barriers"] if barrier["layer"] == layer]
    return str(found)


def test_a_running_container_is_looked_at_from_both_sides(run: Run, trainer: str, tmp_path: Path) -> None:
    document = checked(run, f"podman:{trainer}", 0)

    assert state(document, "python") == "open"
    assert [barrier["layer"] for barrier in document["host_barriers"]][:2] == ["hardware", "driver"]

    snapshot = tmp_path / "trainer.json"
    run("snapshot", f"podman:{trainer}", "-o", str(snapshot), "--budget", "90", code=0)
    views = {view["side"]: view for view in json.loads(snapshot.read_text(encoding="utf-8"))["views"]}
    assert views["container"]["container"]["engine"] == "podman"
    assert views["container"]["filesystems"]["state"] == "read", views["container"]["filesystems"]
    assert views["container"]["filesystems"]["filesystems"]["/dev/shm"]["total"] == 4 << 20
    assert views["host"]["container_run"]["name"] == trainer
    assert views["host"]["container_run"]["shm_size"] == 4 << 20
    assert views["host"]["container_run"]["ulimits"]["nofile"] == {"soft": 1024, "hard": 1024}
    assert views["container"]["boot"] == views["host"]["boot"]


def test_a_process_names_its_container(run: Run, trainer: str, podman: PrivatePodman) -> None:
    pid = podman.client("inspect", "--format", "{{.State.Pid}}", trainer)

    document = checked(run, f"pid:{pid}", 0)

    assert f"the process runs in the podman container {trainer}" in document["notes"]
    assert state(document, "python") == "open"


def test_a_container_that_has_ended(run: Run, podman: PrivatePodman, tmp_path: Path) -> None:
    podman.client("run", "--name", "ended", IMAGE, "sh", "-c", "exit 7", fails=True)
    try:
        document = checked(run, "podman:ended", 3)
        run("snapshot", "podman:ended", "-o", str(tmp_path / "ended.json"), "--budget", "90", code=0)
    finally:
        podman.client("rm", "ended")

    assert any("(exited): exit code 7;" in note and "podman logs ended" in note for note in document["notes"])
    view = json.loads((tmp_path / "ended.json").read_text(encoding="utf-8"))["views"][0]
    assert (view["side"], view["host"]["distribution"]) == ("container", "debian")
    assert view["loader"]["libraries"]["libstdc++.so.6"]["elf"] == "ok"


def test_a_container_without_python(run: Run, podman: PrivatePodman) -> None:
    script = "rm -rf /usr/bin/python3* /usr/lib/python3*; exec sleep 600"
    podman.client("run", "-d", "--name", "bare", IMAGE, "sh", "-c", script)
    try:
        while podman.run("podman", "exec", "bare", "test", "-e", "/usr/lib/python3.11").returncode == 0:
            pass
        document = checked(run, "podman:bare", 3)
    finally:
        podman.client("rm", "--force", "--time", "0", "bare")

    assert "podman:bare: no Python 3 runs in there, so only its files were looked at" in document["notes"]
    assert state(document, "container") == "not-applicable"


def test_names_that_are_not_there(run: Run, podman: PrivatePodman, trainer: str, tmp_path: Path) -> None:
    run.refused("check", "podman:nobody", says="there is no such container; podman ps -a lists them")
    run.refused("check", "podman:nobody", "--lang", "zh", says="请以启动它的用户运行 codeblue")
    run.environment["PATH"] = str(tmp_path)
    run.refused("check", f"podman:{trainer}", says=f"podman:{trainer}: podman is not installed here")


@needs_fuse
def test_a_volume_that_does_not_answer(run: Run, podman: PrivatePodman, tmp_path: Path) -> None:
    dead = tmp_path / "dead"
    dead.mkdir()
    podman.client("create", "--name", "lost", "-v", f"{dead}:/usr/local/nvidia", IMAGE, *SLEEP)
    try:
        with stuck(dead) as machine:
            argv = [
                sys.executable,
                "-m",
                "codeblue",
                "check",
                "podman:lost",
                "--budget",
                "20",
                "--format",
                "json",
            ]
            began = time.monotonic()
            done = subprocess.run(
                machine.inside(argv), env=run.environment, capture_output=True, check=False, timeout=60
            )
            took = time.monotonic() - began
            # A process that was told to end goes on to wait as one that cannot be ended.
            until = time.monotonic() + 20
            while not (waiting := machine.waiting()) and time.monotonic() < until:
                time.sleep(0.05)
    finally:
        podman.client("rm", "--force", "--time", "0", "lost")

    assert done.returncode == 3, done.stderr
    assert waiting, "what podman has started cannot be killed"
    notes = json.loads(done.stdout)["notes"]
    assert any("could be copied out of it (the time was over)" in note for note in notes)
    assert took < 20 + 15


def test_rootless(rootless: PrivatePodman, command: list[str], run: Run) -> None:
    rootless.client("run", "-d", "--name", "mine", IMAGE, *SLEEP)
    rootless.client("run", "--name", "over", IMAGE, "sh", "-c", "exit 7", fails=True)
    script = "rm -rf /usr/bin/python3* && exec sleep 600"
    rootless.client("run", "-d", "--name", "bare", IMAGE, "sh", "-c", script)

    running, over, bare = (
        rootless.run(*command, "check", f"podman:{name}", "--budget", "90", "--format", "json")
        for name in ("mine", "over", "bare")
    )

    assert running.returncode == 0, running.stdout + running.stderr
    assert state(json.loads(running.stdout), "python") == "open"
    assert over.returncode == 3, over.stdout + over.stderr
    assert any("(exited): exit code 7;" in note for note in json.loads(over.stdout)["notes"])
    assert bare.returncode == 3, bare.stdout + bare.stderr
    assert state(json.loads(bare.stdout), "container") == "not-applicable"
    run.refused("check", "podman:mine", says="run codeblue as the user who started it")
