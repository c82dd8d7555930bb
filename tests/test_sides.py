"""A container and its host: on which side the fault is."""

from typing import Any

import msgspec

from codeblue.model.diagnosis import Overall
from codeblue.model.finding import Finding
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import message
from codeblue.pipeline import judge
from tests.conftest import recording

EMPTY: dict[str, Any] = {
    "container": {"state": "read", "engine": "docker", "injected": []},
    "nodes": {"state": "read", "source": "stat {key}", "nodes": {}},
    "cuda": {"state": "absent", "reason": "libcuda.so.1: cannot open shared object file"},
    "nvml": {"state": "absent", "reason": "libnvidia-ml.so.1: cannot open shared object file"},
    "nvidia_smi": {"state": "absent"},
    "driver_files": {"state": "read", "libraries": {}, "stale_links": {}},
    "loader": {
        "libraries": {name: {"path": None, "real": None} for name in ("libcuda.so.1", "libnvidia-ml.so.1")},
        "libcuda_copies": [],
        "nvidia_ml_copies": [],
    },
    "torch_trial": {"available": False, "count": 0, "devices": {}},
    "environment": {"variables": {"NVIDIA_VISIBLE_DEVICES": "all"}},
}
"""What a container sees that was started without GPUs."""


def both(inside: dict[str, Any], around: dict[str, Any]) -> Snapshot:
    """Return a snapshot of a container and its host, each the healthy recording with changes."""
    container = recording("h200-healthy", **inside).views[0]
    host = recording("h200-healthy", **around).views[0]
    views = [
        msgspec.structs.replace(container, name="docker:trainer", side="container"),
        msgspec.structs.replace(host, name="host", side="host", until="libraries"),
    ]
    return Snapshot(target="docker:trainer", views=views)


def first(snapshot: Snapshot) -> Finding:
    """Return the first cause."""
    return judge(snapshot).causes[0].finding


def test_two_healthy_sides_are_healthy() -> None:
    diagnosis = judge(both({}, {}))

    assert (diagnosis.verdict, diagnosis.causes) == (Overall.HEALTHY, ())
    assert [barrier.state.value for barrier in diagnosis.host_barriers] == ["open"] * 4


def test_a_container_without_gpus_on_a_healthy_host_is_the_containers_fault() -> None:
    cause = first(both(EMPTY, {}))

    assert (cause.fault, cause.side) == ("container-started-without-nvidia-runtime", "container")


def test_what_both_sides_show_is_told_once_on_the_host() -> None:
    mode: dict[str, Any] = {"nodes": {"nodes": {"/dev/nvidiactl": {"mode": "0600", "open_rw": "EACCES"}}}}
    closed = mode | {"cuda": {"init": 100, "count": None, "devices": {}}}

    diagnosis = judge(both(closed, closed))

    assert [(c.finding.fault, c.finding.side) for c in diagnosis.causes] == [
        ("device-node-permissions", "host")
    ]
    assert "cuda-init-failed" in [c.finding.fault for c in diagnosis.consequences]


def test_the_interpreter_of_the_hosts_shell_is_not_the_jobs() -> None:
    no_torch = {"torch": {"state": "absent"}, "python": {"other_torches": ["/opt/x/bin/python"]}}

    assert judge(both({}, no_torch)).causes == ()


def test_only_the_host_is_judged_when_the_container_cannot_be_entered() -> None:
    host = both({}, {}).views[1]
    why = message("trainer is not running", "trainer 没有在运行")

    diagnosis = judge(Snapshot(target="docker:trainer", views=[host], unreadable=[why]))

    assert diagnosis.verdict is Overall.UNKNOWN
    assert diagnosis.notes == (why,)
    assert {barrier.layer.value for barrier in diagnosis.barriers} == {
        "hardware",
        "driver",
        "device-access",
        "libraries",
    }
