"""``codeblue check docker:NAME`` against a real daemon: both sides, or the one that can be seen."""

import json
import os
import signal
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docker.private import IMAGE, PrivateDocker
from tests.test_cli import Run

OPTIONS = ("--network", "none", "--shm-size", "4m")


@pytest.fixture
def run(tmp_path: Path, docker: PrivateDocker) -> Run:
    """codeblue that talks to the private daemon."""
    runner = Run(tmp_path / "state")
    runner.environment["DOCKER_HOST"] = docker.host
    return runner


@pytest.fixture(scope="module")
def trainer(docker: PrivateDocker) -> Iterator[str]:
    """A container that does nothing for a while."""
    docker.client("run", "-d", "--name", "trainer", *OPTIONS, IMAGE, "sleep", "600")
    yield "trainer"
    docker.client("rm", "--force", "trainer")


def checked(run: Run, target: str, code: int) -> dict[str, Any]:
    """Return the document of a check that ends with this exit code."""
    document: dict[str, Any] = json.loads(run("check", target, "--format", "json", code=code).stdout)
    return document


def test_a_running_container_is_looked_at_from_both_sides(run: Run, trainer: str, tmp_path: Path) -> None:
    document = checked(run, f"docker:{trainer}", 0)

    inside = {barrier["layer"]: barrier for barrier in document["barriers"]}
    assert inside["container"]["summary"] == "docker"
    assert inside["python"]["state"] == "open"
    assert [barrier["layer"] for barrier in document["host_barriers"]][:2] == ["hardware", "driver"]

    snapshot = tmp_path / "trainer.json"
    run("snapshot", f"docker:{trainer}", "-o", str(snapshot), code=0)
    views = {view["side"]: view for view in json.loads(snapshot.read_text(encoding="utf-8"))["views"]}
    assert views["container"]["filesystems"]["filesystems"]["/dev/shm"]["total"] == 4 << 20
    assert views["host"]["container_run"]["shm_size"] == 4 << 20
    assert views["container"]["boot"] == views["host"]["boot"]


def test_a_name_that_fits_no_container_or_several(run: Run, docker: PrivateDocker, tmp_path: Path) -> None:
    archive = tmp_path / "empty.tar"
    tarfile.open(archive, "w").close()
    docker.client("import", str(archive), "empty:1")
    # An id has 16 possible first digits.
    made = [docker.client("create", "empty:1", "true") for _ in range(17)]
    try:
        first = [one[0] for one in made]
        digit = next(one for one in first if first.count(one) > 1)
        run.refused("check", f"docker:{digit}", says="more than one container fits")
        run.refused("check", "docker:no-such-name", "--lang", "zh", says="没有这个容器")
    finally:
        docker.client("rm", *made)


def test_a_daemon_that_hangs_is_not_waited_for(run: Run, docker: PrivateDocker) -> None:
    assert docker.process is not None
    os.kill(docker.process.pid, signal.SIGSTOP)
    try:
        run.refused("check", "docker:trainer", says="docker gives no answer")
    finally:
        os.kill(docker.process.pid, signal.SIGCONT)


def test_a_container_that_is_paused_leaves_its_host(run: Run, trainer: str, docker: PrivateDocker) -> None:
    docker.client("pause", trainer)
    try:
        document = checked(run, f"docker:{trainer}", 3)
    finally:
        docker.client("unpause", trainer)

    assert any("paused" in note for note in document["notes"])


def test_a_container_that_has_ended_leaves_its_host(run: Run, docker: PrivateDocker) -> None:
    docker.client("run", "--name", "ended", *OPTIONS, IMAGE, "true")
    try:
        document = checked(run, "docker:ended", 3)
    finally:
        docker.client("rm", "ended")

    assert any("exited" in note for note in document["notes"])


def test_names_and_daemons_that_are_not_there(run: Run, docker: PrivateDocker, trainer: str) -> None:
    run.refused("check", "docker:nobody", says="docker:nobody: No such container: nobody")
    run.environment["DOCKER_HOST"] = f"unix://{docker.folder}/none.sock"
    run.refused("check", f"docker:{trainer}", says="Cannot connect to the Docker daemon")
