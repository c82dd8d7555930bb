"""Readers of container engines and of one container."""

import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.model.facts import ContainerRun, Engine
from codeblue.model.section import NotRead, State
from tests.probe.daemons import INFO, daemon
from tests.probe.loading import document, tree
from tests.probe.standins import ENDS, PRESENT, script

SOCKET = "var/run/docker.sock"
SLOW = "import codeblue_probe.docker_socket as d; d.SECONDS = 0.3"
CONFIG = """disable-require = false
[nvidia-container-cli]
environment = []
#no-cgroups = false
no-cgroups = true   # for podman
ldconfig = "@/sbin/ldconfig.real"
[nvidia-container-runtime]
log-level = "info"
mode = "auto"
"""
CDI = """---
cdiVersion: 0.5.0
containerEdits:
  mounts:
  - containerPath: /usr/lib/libcuda.so.580.159.04
    hostPath: /usr/lib/libcuda.so.580.159.04
  - containerPath: /usr/lib/libnvidia-ml.so.580.159.04
    hostPath: /usr/lib/libnvidia-ml.so.580.159.04
devices:
- containerEdits:
    deviceNodes:
    - path: /dev/nvidia0
  name: "0"
- name: all
kind: nvidia.com/gpu
"""


@pytest.fixture
def root() -> Iterator[Path]:
    """A root folder whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="cb") as folder:
        yield Path(folder)


def engine(root: Path, environment: dict[str, str] | None = None, **settings: Any) -> Engine:
    variables = {"PATH": "/usr/bin", "HOME": "/home/u"} | (environment or {})
    return msgspec.convert(document("engine", root, environment=variables, **settings), Engine)


def client(root: Path, name: str = "docker", words: str = "Docker version 28.5.1, build e180ab8") -> None:
    folder = root / "usr/bin"
    folder.mkdir(parents=True, exist_ok=True)
    script(folder / name, f"echo '{words}'\n")


@pytest.mark.parametrize("version", ENDS)
def test_a_daemon_that_answers(root: Path, version: str) -> None:
    client(root)
    tree(root, {"/etc/docker/daemon.json": '{"runtimes": {"nvidia": {}}, "features": {"cdi": true}, "x": 1}'})

    with daemon(root / SOCKET, {"/info": (200, INFO)}):
        found = engine(root, python=PRESENT.get(version))

    assert (found.reachable, found.unreachable, found.server_version) == (True, None, "28.5.1")
    assert (found.cgroup_driver, found.cgroup_version) == ("systemd", "2")
    assert (found.runtimes, found.default_runtime) == (["nvidia", "runc"], "runc")
    assert (found.rootless, found.desktop, found.snap, found.remote) == (False, False, False, False)
    assert found.programs["docker"].version == "28.5.1"
    assert found.daemon_json is not None
    assert (found.daemon_json.runtimes, found.daemon_json.cdi) == (["nvidia"], True)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"SecurityOptions": ["name=rootless"]}, "rootless"),
        ({"OperatingSystem": "Docker Desktop"}, "desktop"),
        ({"DockerRootDir": "/var/snap/docker/common/var-lib-docker"}, "snap"),
    ],
)
def test_kinds_of_daemons(root: Path, change: dict[str, Any], field: str) -> None:
    with daemon(root / SOCKET, {"/info": (200, INFO | change)}):
        found = engine(root)

    assert {name for name in ("rootless", "desktop", "snap") if getattr(found, name)} == {field}


def test_daemons_that_do_not_answer(root: Path) -> None:
    client(root)
    gone = engine(root)
    assert (gone.reachable, gone.unreachable) == (False, "no-socket")
    with pytest.raises(NotRead, match=r"engine\.runtimes: error"):
        _ = gone.runtimes

    with daemon(root / SOCKET):
        silent = engine(root, before=SLOW)
    assert (silent.unreachable, silent.unread["runtimes"]) == ("timeout", State.TIMEOUT)
    assert engine(root).unreachable == "down"


def test_garbage_from_the_socket_costs_the_daemons_facts_only(root: Path) -> None:
    tree(root, {"/etc/docker/daemon.json": "{}"})
    answers: tuple[tuple[int, Any], ...] = ((200, "no json"), (500, {"message": "x"}), (200, []))
    for answer in answers:
        with daemon(root / SOCKET, {"/info": answer}):
            found = engine(root)
        (root / SOCKET).unlink()
        assert found.unread["runtimes"] is State.ERROR
        assert found.daemon_json is not None and found.daemon_json.error is None


def test_a_daemon_that_sleeps_is_not_woken(root: Path) -> None:
    tree(root, {"/run/systemd/system/x": "", "/proc/1/comm": "systemd\n"})

    with daemon(root / SOCKET, {"/info": (200, INFO)}):
        asleep = engine(root)
        tree(root, {"/proc/7/comm": "dockerd\n"})
        awake = engine(root)

    assert (asleep.reachable, asleep.unreachable, awake.reachable) == (False, "asleep", True)


def test_the_current_context(root: Path) -> None:
    client(root)
    folder = "/home/u/.docker/contexts/meta/" + sha256(b"far").hexdigest()
    meta = '{"Name": "far", "Endpoints": {"docker": {"Host": "ssh://me@node7"}}}'
    tree(root, {"/home/u/.docker/config.json": '{"currentContext": "far"}', folder + "/meta.json": meta})

    far = engine(root)
    assert (far.context, far.remote, far.endpoint) == ("far", True, "ssh")
    assert far.unread["reachable"] is State.NOT_ATTEMPTED
    assert "node7" not in str(msgspec.to_builtins(far))
    lost = engine(root, {"DOCKER_CONTEXT": "lost"})
    assert (lost.context, lost.endpoint, lost.unreachable) == ("lost", None, "no-such-context")
    assert engine(root, {"DOCKER_HOST": "tcp://10.1.2.3:2376"}).endpoint == "tcp"
    assert engine(root, {"DOCKER_CONTEXT": "default"}).endpoint == f"unix:///{SOCKET}"


@pytest.mark.parametrize(
    ("content", "place", "only_commas"),
    [
        ('{\n  "runtimes": {},\n}', (3, 1), True),
        ('{"a": [1,],\n"b" 2,}', (1, 10), False),
        ("{", (1, 2), False),
        ("<html>", (1, 1), False),
        ("[]", (1, 1), False),
        ('{"a": “b”}', (1, 7), False),
    ],
)
def test_a_broken_daemon_json(root: Path, content: str, place: tuple[int, int], only_commas: bool) -> None:
    client(root)
    tree(root, {"/etc/docker/daemon.json": content})

    file = engine(root).daemon_json

    assert file is not None and file.error
    assert (file.line, file.column, file.only_commas) == (*place, only_commas)


# Docker 20.10 was seen to start with the first two and to refuse the others, which are left to it to judge.
@pytest.mark.parametrize("content", ["{}}", "null", "", " \n", "\ufeff{}"])
def test_a_daemon_json_that_is_not_called_broken(root: Path, content: str) -> None:
    client(root)
    tree(root, {"/etc/docker/daemon.json": content})

    file = engine(root).daemon_json

    assert file is not None and file.error is None


@pytest.mark.parametrize("version", ENDS)
def test_the_toolkit_and_its_files(root: Path, version: str) -> None:
    client(root, "podman", "podman version 5.4.0")
    client(root, "nvidia-ctk", "NVIDIA Container Toolkit CLI version 1.17.8")
    client(root, "nvidia-container-cli", "cli-version: 1.17.8")
    tree(
        root,
        {
            "/etc/nvidia-container-runtime/config.toml": CONFIG,
            "/etc/cdi/nvidia.yaml": CDI,
            "/usr/lib/libcuda.so.580.159.04": "x",
        },
    )

    found = engine(root, python=PRESENT.get(version))

    assert (found.programs["podman"].version, found.unreachable) == ("5.4.0", "no-docker")
    assert {name: tool.version for name, tool in found.toolkit.items()} == {
        "nvidia-ctk": "1.17.8",
        "nvidia-container-cli": "1.17.8",
    }
    assert found.toolkit_config == {
        "disable-require": "false",
        "nvidia-container-cli.no-cgroups": "true",
        "nvidia-container-cli.ldconfig": "@/sbin/ldconfig.real",
        "nvidia-container-runtime.mode": "auto",
    }
    assert found.ldconfig_there is False
    spec = found.cdi_specs["/etc/cdi/nvidia.yaml"]
    assert (spec.kind, spec.devices, spec.driver_versions) == ("nvidia.com/gpu", ["0", "all"], ["580.159.04"])
    assert spec.missing == ["/usr/lib/libnvidia-ml.so.580.159.04"]


def test_a_machine_without_engines(root: Path) -> None:
    found = engine(root)

    assert (found.state, found.reason) == (State.ABSENT, "neither docker nor podman")


def test_podman_in_dockers_clothes_is_no_docker(root: Path) -> None:
    client(root, "podman", "podman version 5.4.0")
    script(root / "usr/bin/docker", 'exec /usr/bin/podman "$@"\n')
    tree(root, {SOCKET: "->/run/podman/podman.sock"})

    found = engine(root)

    assert (set(found.programs), found.unreachable) == ({"podman"}, "no-docker")


def run(root: Path, name: str, kind: str = "docker", **settings: Any) -> ContainerRun:
    asked = {"engine": kind, "name": name}
    return msgspec.convert(document("container_run", root, container=asked, **settings), ContainerRun)


INSPECT = {
    "Id": "aa11",
    "Image": "sha256:99",
    "State": {"Status": "running", "ExitCode": 0, "OOMKilled": False, "Pid": 77, "Error": ""},
    "Config": {
        "Image": "me:secret@site.example/team/x:1",
        "User": "1000",
        "Env": ["NVIDIA_VISIBLE_DEVICES=all", "HF_TOKEN=abc", "PATH=/bin"],
    },
    "HostConfig": {
        "Runtime": "nvidia",
        "DeviceRequests": [
            {"Driver": "cdi", "Count": 0, "DeviceIDs": ["nvidia.com/gpu=all"], "Capabilities": None},
            {"Driver": "", "Count": -1, "DeviceIDs": None, "Capabilities": [["gpu"]]},
        ],
        "Devices": [{"PathOnHost": "/dev/infiniband"}],
        "ShmSize": 67108864,
        "IpcMode": "private",
        "Ulimits": [{"Name": "memlock", "Soft": -1, "Hard": -1}],
        "NetworkMode": "host",
    },
    "Mounts": [{"Destination": "/usr/lib/libcuda.so.1"}, {"Destination": "/data"}],
    "GraphDriver": {"Data": {"MergedDir": "/var/lib/docker/overlay2/x/merged"}},
}


@pytest.mark.parametrize("version", ENDS)
def test_a_container_of_docker(root: Path, version: str) -> None:
    with daemon(root / SOCKET, {"/containers/job/json": (200, INSPECT)}):
        found = run(root, "job", python=PRESENT.get(version))

    assert (found.status, found.exit_code, found.pid, found.error) == ("running", 0, 77, None)
    assert (found.image, found.image_id, found.user) == ("site.example/team/x:1", "sha256:99", "1000")
    assert (found.variables, found.driver_mounts) == (
        {"NVIDIA_VISIBLE_DEVICES": "all"},
        ["/usr/lib/libcuda.so.1"],
    )
    assert (found.ulimits["memlock"].soft, found.shm_size) == (None, 64 << 20)
    assert [(r.driver, r.count, r.devices, r.capabilities) for r in found.device_requests] == [
        ("cdi", 0, ["nvidia.com/gpu=all"], []),
        ("", -1, [], ["gpu"]),
    ]
    assert (found.devices, found.root) == (["/dev/infiniband"], "/var/lib/docker/overlay2/x/merged")


def test_containers_that_cannot_be_told(root: Path) -> None:
    two = (400, {"message": "Multiple IDs found with provided prefix: a"})

    with daemon(root / SOCKET, {"/containers/a/json": two}):
        gone, ambiguous, odd = run(root, "gone"), run(root, "a"), run(root, "../info")

    assert (gone.state, gone.reason) == (State.ABSENT, "no such container: gone")
    assert (ambiguous.state, "Multiple IDs" in ambiguous.reason) == (State.ERROR, True)
    assert (odd.state, "not the name of a container" in odd.reason) == (State.ERROR, True)


def test_no_container_is_judged(root: Path) -> None:
    assert document("container_run", root) == {"state": "absent", "reason": "the target is no container"}


def test_a_container_of_podman(root: Path) -> None:
    told = {
        "State": {"Status": "exited", "ExitCode": 137, "OOMKilled": True, "Pid": 0},
        "ImageName": "localhost/x:1",
        "ImageDigest": "sha256:77",
        "OCIRuntime": "crun",
        "Config": {"Env": ["CUDA_VISIBLE_DEVICES=0"]},
        "HostConfig": {"Ulimits": [{"Name": "RLIMIT_NOFILE", "Soft": 1024, "Hard": 2**63 - 1}]},
    }
    client(root, "podman", "")
    script(
        root / "usr/bin/podman",
        f"[ $3 = job ] && echo '[{msgspec.json.encode(told).decode()}]' && exit\n"
        "echo 'Error: no such container' >&2; exit 125\n",
    )
    path = {"PATH": f"{root}/usr/bin:/usr/bin:/bin"}

    found = run(root, "job", "podman", environment=path)

    assert (found.status, found.exit_code, found.oom_killed, found.pid) == ("exited", 137, True, None)
    assert (found.runtime, found.image, found.image_id) == ("crun", "localhost/x:1", "sha256:77")
    assert (found.ulimits["nofile"].soft, found.ulimits["nofile"].hard) == (1024, None)
    assert run(root, "none", "podman", environment=path).state is State.ABSENT
