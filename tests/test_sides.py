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


def notes(run: dict[str, Any], process: dict[str, Any] | None = None, lang: str = "en") -> list[str]:
    """Return what is noted of a container that its engine describes so, and of a process that was named."""
    described = {"state": "read", "engine": "docker", "name": "trainer", "error": None, "oom_killed": False}
    around: dict[str, Any] = {"container_run": described | run}
    return [note.say(lang) for note in judge(both({"process": process} if process else {}, around)).notes]


def test_how_a_container_ended_is_told() -> None:
    ended = {"status": "exited", "exit_code": 139, "ended": "2026-11-30T19:46:19Z", "oom_killed": True}

    told, killed = notes(ended)

    assert told == (
        "the container trainer has not been running since 2026-11-30T19:46:19Z (exited):"
        " exit code 139, SIGSEGV; its last words: docker logs trainer"
    )
    assert "OOMKilled" in killed
    assert "自 2026-11-30T19:46:19Z 起" in notes(ended, lang="zh")[0]


def test_of_a_container_at_work_nothing_is_noted_but_whose_process_it_is() -> None:
    running = {"status": "running", "exit_code": 0}
    process = {"state": "read", "namespaces": ["mnt"], "apart": None}

    assert notes(running) == []
    assert notes(running, process) == ["the process runs in the docker container trainer"]


def test_a_container_that_never_ran_is_told_with_the_engines_words() -> None:
    created = {"status": "created", "exit_code": None, "error": "no such device"}

    assert notes(created) == [
        "the container trainer was created, but has never run",
        "its engine says: no such device",
    ]


def test_a_recording_without_the_end_of_its_container_notes_nothing() -> None:
    assert notes({"status": "exited", "exit_code": 1}) == []
