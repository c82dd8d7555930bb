"""device-node-missing"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "device-node-missing"
GONE = {"exists": False, "mode_after": None}
DOCKER = {"state": "read", "engine": "docker", "injected": []}
ALL = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia0")


def machine(*gone: str, init: int = 100, **changes: Any) -> Snapshot:
    failed = {"init": init, "count": None if init else 1}
    nodes = {"nodes": dict.fromkeys(gone, GONE)}
    return recording("h200-healthy", **({"nodes": nodes, "cuda": failed} | changes))


@pytest.mark.parametrize(
    ("path", "init"), [("/dev/nvidiactl", 100), ("/dev/nvidia-uvm", 999), ("/dev/nvidia0", 100)]
)
def test_fires_when_a_needed_node_is_gone_and_cuda_does_not_start(path: str, init: int) -> None:
    [finding] = judge(FAULT, machine(path, init=init)).findings

    assert (finding.subject, finding.certainty) == (f"node:{path}", Certainty.CERTAIN)
    assert [e.value for e in finding.evidence] == [False, init]
    assert finding.remedy and finding.remedy.steps[0].verb is Verb.NODES_CREATE


def test_fires_softly_when_only_one_gpu_is_without_its_node() -> None:
    [finding] = judge(FAULT, machine("/dev/nvidia1", init=0)).findings

    assert (finding.subject, finding.certainty) == ("node:/dev/nvidia1", Certainty.LIKELY)


def test_fires_in_a_container_without_the_control_node() -> None:
    [finding] = judge(FAULT, machine("/dev/nvidiactl", container=DOCKER)).findings

    assert finding.remedy and finding.remedy.steps[0].verb is Verb.INSTRUCT


def test_fires_in_a_container_that_has_no_gpu_node_at_all() -> None:
    verdict = judge(FAULT, machine("/dev/nvidia0", container=DOCKER))

    assert [finding.subject for finding in verdict.findings] == ["node:/dev/nvidia0"]


def test_fires_when_the_mask_is_not_what_hides_the_gpus() -> None:
    snapshot = machine(
        "/dev/nvidiactl",
        cuda={"init": 100, "count": None, "unmasked_init": 100, "unmasked_count": None},
        environment={"variables": {"CUDA_VISIBLE_DEVICES": "0"}},
    )

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


MASKED: dict[str, Any] = {
    "cuda": {"init": 100, "count": None, "unmasked_init": 0, "unmasked_count": 1},
    "environment": {"variables": {"CUDA_VISIBLE_DEVICES": ""}},
}
NONE_WANTED: dict[str, Any] = {
    "container": DOCKER,
    "environment": {"variables": {"NVIDIA_VISIBLE_DEVICES": "none"}},
}


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy"),
        machine("/dev/nvidia-uvm", "/dev/nvidiactl", init=0),
        recording(
            "h200-healthy",
            nodes={"nodes": {"/dev/nvidiactl": {"exists": False, "mode_after": "0666"}}},
            cuda={"init": 999},
        ),
        machine("/dev/nvidia-uvm", init=803),
        machine("/dev/nvidiactl", **MASKED),
        machine("/dev/nvidia-uvm", init=999, modules={"loaded": {"nvidia_uvm": ...}}),
        machine("/dev/nvidia1", container=DOCKER),
        machine("/dev/nvidia1", init=0, container=DOCKER),
        machine("/dev/nvidia-uvm", init=999, container=DOCKER),
        machine(*ALL, container=DOCKER),
        machine("/dev/nvidia0", **NONE_WANTED),
        machine("/dev/nvidiactl", driver={"state": "absent"}),
    ],
    ids=[
        "healthy",
        "never used",
        "created in passing",
        "versions differ",
        "masked",
        "module missing",
        "other GPU's node in a container",
        "other GPU's node, CUDA fine",
        "uvm in a container",
        "container without anything",
        "container that wants none",
        "WSL2 or no driver",
    ],
)
def test_clear_when_the_gap_explains_nothing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


@pytest.mark.parametrize("state", ["timeout", "not-attempted"])
def test_fires_less_surely_when_cuda_was_not_called(state: str) -> None:
    [finding] = judge(FAULT, machine("/dev/nvidiactl", cuda={"state": state})).findings

    assert finding.certainty is Certainty.LIKELY
    assert [e.path for e in finding.evidence] == ["nodes[/dev/nvidiactl].exists", "driver.module_version"]


def test_clear_when_there_is_no_libcuda() -> None:
    assert judge(FAULT, machine("/dev/nvidiactl", cuda={"state": "absent"})).outcome is Outcome.CLEAR


def test_claims_nothing_when_all_nodes_are_there_and_cuda_was_not_called() -> None:
    verdict = judge(FAULT, machine(cuda={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")


def test_claims_nothing_when_nobody_looked_again() -> None:
    snapshot = machine(nodes={"nodes": {"/dev/nvidiactl": {"exists": False, "mode_after": ...}}})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "# ls /dev/nvidia*",
        "ls: cannot access '/dev/nvidia*': No such file or directory",
        "# note: module is loaded, headless server",
        "os: Gentoo",
    ),
    (
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        ("# note: module nvidia is loaded but there is no /dev/nvidiactl, after nvidia-modprobe it works"),
        "os: Alpine",
    ),
    ("NVIDIA: could not open the device file /dev/nvidiactl (No such file or directory).",),
)
NEAR = ("slurmd: fatal: can't stat gres.conf file /dev/nvidia0: No such file or directory",)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_fires_although_the_uvm_module_is_listed() -> None:
    words = text(
        "nvidia_uvm 4 0",
        "ls: /dev/nvidia*: No such file or directory",
        "CUDA initialization: no CUDA-capable device is detected",
    )

    assert judge("device-node-missing", words).outcome is Outcome.FIRED
