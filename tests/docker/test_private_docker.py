"""The readers of engines and containers against a real docker daemon."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.faults import index
from codeblue.model.facts import ContainerRun, Engine
from codeblue.model.section import State
from codeblue.model.snapshot import View
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures, read_lines
from codeblue.sources.probe_text import program
from tests.docker.private import IMAGE, PrivateDocker
from tests.probe.loading import document

NO_NETWORK = ("--network", "none")


def engine(docker: PrivateDocker, **settings: Any) -> Engine:
    environment = {"DOCKER_HOST": docker.host}
    return msgspec.convert(document("engine", "", environment=environment, **settings), Engine)


def container(docker: PrivateDocker, name: str) -> ContainerRun:
    asked = {"engine": "docker", "name": name}
    content = document("container_run", "", environment={"DOCKER_HOST": docker.host}, container=asked)
    return msgspec.convert(content, ContainerRun)


@pytest.fixture(scope="module")
def running(docker: PrivateDocker) -> Iterator[str]:
    """A container with a small /dev/shm and a limit for locked memory."""
    limits = ("--shm-size", "4m", "--ulimit", "memlock=65536", "--user", "1234")
    variables = ("--env", "NVIDIA_VISIBLE_DEVICES=all", "--env", "HF_TOKEN=abc")
    docker.client("run", "-d", "--name", "small", *NO_NETWORK, *limits, *variables, IMAGE, "sleep", "600")
    yield "small"
    docker.client("rm", "--force", "small")


def test_the_daemon_tells_about_itself(docker: PrivateDocker) -> None:
    told = json.loads(docker.client("info", "--format", "{{json .}}"))

    found = engine(docker)

    assert (found.reachable, found.server_version) == (True, told["ServerVersion"])
    assert (found.cgroup_driver, found.cgroup_version) == (told["CgroupDriver"], told["CgroupVersion"])
    assert (found.runtimes, found.default_runtime) == (sorted(told["Runtimes"]), told["DefaultRuntime"])
    assert (found.rootless, found.desktop, found.snap, found.remote) == (False, False, False, False)
    assert f" {found.programs['docker'].version}," in docker.client("--version")


def test_the_file_that_this_daemon_reads(docker: PrivateDocker) -> None:
    docker.config.write_text('{"runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}}')

    found = engine(docker)

    docker.config.write_text("{}")
    assert found.daemon_json is not None
    assert (found.daemon_json.path, found.daemon_json.runtimes) == (str(docker.config), ["nvidia"])
    assert "nvidia" not in found.runtimes


def test_a_running_container(docker: PrivateDocker, running: str) -> None:
    found = container(docker, running)

    assert (found.status, found.error, found.oom_killed) == ("running", None, False)
    assert found.pid and Path(f"/proc/{found.pid}/comm").read_text().strip() == "sleep"
    assert (found.shm_size, found.user, found.network_mode) == (4 << 20, "1234", "none")
    assert (found.ulimits["memlock"].soft, found.ulimits["memlock"].hard) == (65536, 65536)
    assert (found.image, found.runtime, found.device_requests) == (IMAGE, "runc", [])
    assert found.variables == {"NVIDIA_VISIBLE_DEVICES": "all"}


def test_a_stopped_container(docker: PrivateDocker) -> None:
    docker.client("run", "--name", "done", *NO_NETWORK, IMAGE, "sh", "-c", "exit 3", fails=True)

    found = container(docker, "done")

    assert (found.status, found.exit_code, found.pid) == ("exited", 3, None)


def test_a_refused_gpu_is_told_in_the_engines_words(docker: PrivateDocker) -> None:
    docker.client("create", "--name", "wish", *NO_NETWORK, "--gpus", "all", IMAGE, "true")
    words = docker.client("start", "wish", fails=True)

    view = probed(docker, "wish")

    run = view.section(ContainerRun)
    assert run.status == "created" and run.error and run.error in words
    assert [(r.count, r.capabilities) for r in run.device_requests] == [(-1, ["gpu"])]
    assert "container-toolkit-missing" in {sighting.fault for sighting in view.sightings.seen}


def test_an_unknown_runtime_is_refused_in_known_words(docker: PrivateDocker) -> None:
    words = docker.client("run", "--runtime", "nvidia", *NO_NETWORK, IMAGE, "true", fails=True)

    seen = {sighting.fault for sighting in read_lines(words.splitlines(), "docker", signatures()).seen}
    assert {"docker-daemon-not-restarted", "container-toolkit-missing"} <= seen


def test_a_container_that_is_not_there(docker: PrivateDocker) -> None:
    found = container(docker, "nobody")

    assert (found.state, found.reason) == (State.ABSENT, "no such container: nobody")


def test_the_socket_is_denied_to_others(docker: PrivateDocker) -> None:
    docker.folder.chmod(0o755)
    docker.socket.chmod(0o660)

    found = engine(docker, before="import os; os.setgroups([]); os.setgid(65534); os.setuid(65534)")

    assert (found.reachable, found.unreachable) == (False, "denied")
    assert found.unread["runtimes"] is State.DENIED


def test_a_daemon_that_is_down(docker: PrivateDocker) -> None:
    docker.stop()
    try:
        gone = engine(docker)
    finally:
        docker.start()

    assert (gone.reachable, gone.unreachable) == (False, "no-socket")
    assert engine(docker).reachable


def test_a_context_that_does_not_exist(docker: PrivateDocker) -> None:
    environment = {"DOCKER_CONTEXT": "elsewhere", "HOME": str(docker.folder)}
    said = subprocess.run(
        ["docker", "ps"], env=os.environ | environment, capture_output=True, text=True, check=False
    )

    found = msgspec.convert(document("engine", "", environment=environment), Engine)

    assert said.returncode and "elsewhere" in said.stderr
    assert (found.context, found.unreachable) == ("elsewhere", "no-such-context")


def signatures() -> Signatures:
    return Signatures((entry.id, entry.signatures) for entry in index.entries().values())


def probed(docker: PrivateDocker, name: str) -> View:
    """Return what the whole probe sees of the host, asked for one container."""
    asked = {"engine": "docker", "name": name}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-"],
        input=program({"marker": "m:", "until": "plain", "container": asked}),
        env=os.environ | {"DOCKER_HOST": docker.host},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    [line] = [row for row in done.stdout.splitlines() if row.startswith("m:")]
    return view_of(json.loads(line[2:]), "here", signatures(), 0.0)
