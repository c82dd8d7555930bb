"""``codeblue check docker:NAME`` against a real daemon: both sides, or the one that can be seen."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codeblue.transport import copied, local
from codeblue.transport.inside import SECONDS
from tests.conftest import thorough
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
    document: dict[str, Any] = json.loads(
        run("check", target, "--budget", "90", "--format", "json", code=code).stdout
    )
    return document


def test_a_running_container_is_looked_at_from_both_sides(run: Run, trainer: str, tmp_path: Path) -> None:
    document = checked(run, f"docker:{trainer}", 0)

    inside = {barrier["layer"]: barrier for barrier in document["barriers"]}
    assert inside["container"]["summary"] == "docker"
    assert inside["python"]["state"] == "open"
    assert [barrier["layer"] for barrier in document["host_barriers"]][:2] == ["hardware", "driver"]

    snapshot = tmp_path / "trainer.json"
    run("snapshot", f"docker:{trainer}", "-o", str(snapshot), "--budget", "90", code=0)
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


def inside(run: Run, target: str, snapshot: Path) -> dict[str, Any]:
    """Return the view of the inside of a container."""
    run("snapshot", target, "-o", str(snapshot), "--budget", "90", code=0)
    views = json.loads(snapshot.read_text(encoding="utf-8"))["views"]
    [view] = [view for view in views if view["side"] == "container"]
    assert len(views) == 2
    assert isinstance(view, dict)
    return view


@pytest.fixture
def ended(docker: PrivateDocker) -> Iterator[Callable[..., str]]:
    """Run a script in a container that then stops; removed afterwards."""
    names: list[str] = []

    def start(script: str, *options: str) -> str:
        names.append(f"ended{len(names)}")
        arguments = ["--name", names[-1], *OPTIONS, *options, IMAGE, "sh", "-c", script]
        docker.client("run", *arguments, fails="exit 0" not in script)
        return names[-1]

    yield start
    for name in names:
        docker.client("rm", "--force", name)


def test_a_container_that_is_paused_is_looked_at_by_its_files(
    run: Run, trainer: str, docker: PrivateDocker, tmp_path: Path
) -> None:
    docker.client("pause", trainer)
    try:
        document = checked(run, f"docker:{trainer}", 3)
        view = inside(run, f"docker:{trainer}", tmp_path / "paused.json")
    finally:
        docker.client("unpause", trainer)

    assert any("paused" in note and f"docker unpause {trainer}" in note for note in document["notes"])
    assert (view["host"]["distribution"], view["nodes"]["state"]) == ("debian", "read")
    assert (view["python"]["state"], view["until"]) == ("unsupported", "plain")


def paused(docker: PrivateDocker, name: str) -> None:
    """Pause a container in which processes start and end: the freezer may need more than one try."""
    for last in (False, False, False, False, True):
        try:
            docker.client("pause", name)
        except AssertionError as error:
            if last or "unable to freeze" not in str(error):
                raise
            time.sleep(0.2)
        else:
            return


def test_a_container_that_is_paused_meanwhile_costs_no_more_than_the_budget(
    run: Run, trainer: str, docker: PrivateDocker
) -> None:
    arguments = [sys.executable, "-m", "codeblue", "check", f"docker:{trainer}", "--budget", "5", "--format"]
    began = time.monotonic()
    checking = subprocess.Popen([*arguments, "json"], env=run.environment, stdout=subprocess.PIPE, text=True)
    deadline = began + 20
    while "-I -S -B -" not in docker.client("top", trainer) and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        paused(docker, trainer)
        answer = checking.communicate(timeout=60)[0]
    finally:
        checking.kill()
        checking.communicate()
        docker.client("unpause", trainer)

    document = json.loads(answer)
    assert (checking.returncode, document["verdict"]) == (3, "unknown")
    assert any("gave no answer; the container is now paused" in note for note in document["notes"])
    assert document["barriers"], "the host was looked at"
    assert time.monotonic() - began < 5 + local.GRACE + 10


def test_an_interpreter_that_hangs_inside_is_left(run: Run, docker: PrivateDocker, tmp_path: Path) -> None:
    script = "printf '#!/bin/sh\\nexec sleep 60\\n' > /usr/bin/python3; echo ready; exec sleep 600"
    docker.client("run", "-d", "--name", "hanging", *OPTIONS, IMAGE, "sh", "-c", script)
    try:
        while "ready" not in docker.client("logs", "hanging"):
            time.sleep(0.05)
        began = time.monotonic()
        document = checked(run, "docker:hanging", 3)
        took = time.monotonic() - began
        pid = docker.client("inspect", "--format", "{{.State.Pid}}", "hanging")
        of_process = checked(run, f"pid:{pid}", 3)
    finally:
        docker.client("rm", "--force", "hanging")

    assert any("nothing can be started inside (no answer within" in note for note in document["notes"])
    assert took < SECONDS + 15
    assert any("no answer within" in note for note in of_process["notes"])
    assert any("runs in the docker container hanging" in note for note in of_process["notes"])


def test_a_container_that_has_ended_is_told_with_how_and_when(
    run: Run, ended: Callable[..., str], docker: PrivateDocker, tmp_path: Path
) -> None:
    name = ended("exit 7")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run.environment["TMPDIR"] = str(temporary)
    when = docker.client("inspect", "--format", "{{.State.FinishedAt}}", name)[: len("2026-11-30T00:00:00")]

    document = checked(run, f"docker:{name}", 3)
    view = inside(run, f"docker:{name}", tmp_path / "ended.json")

    [how] = [note for note in document["notes"] if "exit code" in note]
    assert f"since {when}Z (exited): exit code 7;" in how
    assert f"docker logs {name}" in how
    assert (view["host"]["distribution"], view["host"]["distribution_version"]) == ("debian", "12")
    assert view["host"]["unread"]["glibc"] == "unsupported"
    assert view["nodes"]["state"] == view["cuda"]["state"] == "unsupported"
    assert view["loader"]["libraries"]["libstdc++.so.6"]["elf"] == "ok"
    assert not list(temporary.iterdir()), "the copy is removed"


def test_of_a_stopped_container_only_what_the_image_holds_is_told(
    run: Run, ended: Callable[..., str], tmp_path: Path
) -> None:
    script = (
        "cd /usr/lib/*-linux-gnu && cp libc.so.6 libcuda.so.550.54.15"
        " && ln -s libcuda.so.550.54.15 libcuda.so.1 && : > libnvidia-ml.so.580.1.1"
        " && ln -s /etc/alternatives/ml libnvidia-ml.so.1"
        " && ln -s /usr/share/ml.so /etc/alternatives/ml && mkdir /opt/stubs"
        " && ln -s /etc/hostname /opt/stubs/libnvidia-ml.so.1 && cp libc.so.6 /opt/stubs/libcuda.so.1; exit 3"
    )
    name = ended(script, "-e", "LD_LIBRARY_PATH=/opt/stubs:/nowhere", "-e", "CUDA_VISIBLE_DEVICES=1")

    view = inside(run, f"docker:{name}", tmp_path / "baked.json")

    [(path, library)] = view["driver_files"]["libraries"].items()
    assert (path.rpartition("/")[2], library["version"]) == ("libcuda.so.550.54.15", "550.54.15")
    assert list(view["driver_files"]["stale_links"].values()) == ["/etc/alternatives/ml"]
    assert view["loader"]["search_path"] == ["/opt/stubs", "/nowhere"]
    assert view["loader"]["libraries"]["libcuda.so.1"]["path"] == "/opt/stubs/libcuda.so.1"
    assert "libnvidia-ml.so.1" not in view["loader"]["libraries"], "its link leads to a file of the container"
    assert view["environment"]["variables"]["CUDA_VISIBLE_DEVICES"] == "1"


def test_a_container_without_memory_left(run: Run, ended: Callable[..., str]) -> None:
    name = ended("exec python3 -c 'bytearray(1 << 30)'", "--memory", "64m")

    document = checked(run, f"docker:{name}", 1)

    assert document["causes"][0]["fault"] == "host-memory-exhausted"
    assert any("exit code 137, SIGKILL" in note for note in document["notes"])
    assert any("OOMKilled" in note for note in document["notes"])


def test_a_container_that_could_not_start(run: Run, docker: PrivateDocker) -> None:
    docker.client("create", "--name", "stillborn", *OPTIONS, IMAGE, "no-such-program")
    words = docker.client("start", "stillborn", fails=True)
    try:
        document = checked(run, "docker:stillborn", 3)
        spoken = run("check", "docker:stillborn", "--lang", "zh").stdout
    finally:
        docker.client("rm", "stillborn")

    assert any("was created, but has never run" in note for note in document["notes"])
    [said] = [note for note in document["notes"] if "its engine says: " in note]
    assert said.partition("its engine says: ")[2] in words
    assert "已创建，但从未运行过" in spoken


def test_a_copy_that_cannot_be_finished_is_said(docker: PrivateDocker, ended: Callable[..., str]) -> None:
    name = ended("exit 0")
    before = dict(os.environ)
    os.environ["DOCKER_HOST"] = docker.host
    try:
        late = copied.copy("docker", name, {}, 0.05)
        nobody = copied.copy("docker", "nobody", {}, 10)
    finally:
        os.environ.clear()
        os.environ.update(before)
        for copy in (late, nobody):
            shutil.rmtree(copy.folder)

    assert late.incomplete == "the time was over"
    assert nobody.incomplete is not None and "No such container: nobody" in nobody.incomplete


@thorough
def test_too_large_a_folder_is_said(run: Run, ended: Callable[..., str], tmp_path: Path) -> None:
    name = ended("truncate -s 3G /usr/lib/$(uname -m)-linux-gnu/libcublas.so; exit 0")

    document = checked(run, f"docker:{name}", 3)
    view = inside(run, f"docker:{name}", tmp_path / "large.json")

    assert any("could be copied out of it (more than 2 GiB)" in note for note in document["notes"])
    assert view["loader"]["state"] == view["driver_files"]["state"] == "timeout"


def test_a_process_in_a_container_names_the_container(run: Run, trainer: str, docker: PrivateDocker) -> None:
    pid = docker.client("inspect", "--format", "{{.State.Pid}}", trainer)

    document = checked(run, f"pid:{pid}", 0)

    assert f"the process runs in the docker container {trainer}" in document["notes"]
    inside = {barrier["layer"]: barrier for barrier in document["barriers"]}
    assert inside["container"]["summary"] == "docker"
    assert inside["python"]["state"] == "open"
    assert [barrier["layer"] for barrier in document["host_barriers"]][:2] == ["hardware", "driver"]


def test_names_and_daemons_that_are_not_there(run: Run, docker: PrivateDocker, trainer: str) -> None:
    run.refused(
        "check", "docker:nobody", says="docker:nobody: there is no such container; docker ps -a lists"
    )
    run.environment["DOCKER_HOST"] = f"unix://{docker.folder}/none.sock"
    run.refused("check", f"docker:{trainer}", says="docker cannot be reached (Cannot connect to the")
