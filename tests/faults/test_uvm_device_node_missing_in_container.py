"""uvm-device-node-missing-in-container"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "uvm-device-node-missing-in-container"
GONE = {"exists": False, "mode_after": None}
PODMAN = {"state": "read", "engine": "podman", "injected": []}


def container(*gone: str, init: int = 999, **changes: Any) -> Snapshot:
    sections = {
        "container": PODMAN,
        "nodes": {"nodes": dict.fromkeys(gone, GONE)},
        "cuda": {"init": init, "count": None},
    }
    return recording("h200-healthy", **(sections | changes))


def test_fires_when_only_the_uvm_node_was_not_passed() -> None:
    [finding] = judge(FAULT, container("/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")).findings

    assert finding.subject == "node:/dev/nvidia-uvm"
    assert ("cuda.init", 999) in [(e.path, e.value) for e in finding.evidence]


EVERYTHING = ("/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidiactl", "/dev/nvidia0")


@pytest.mark.parametrize(
    "snapshot",
    [
        container(),
        container("/dev/nvidia-uvm", init=0),
        container("/dev/nvidia-uvm", init=803),
        container(nodes={"nodes": {"/dev/nvidia-uvm": {"exists": False, "mode_after": "0666"}}}),
        container(*EVERYTHING),
        container("/dev/nvidia-uvm", container={"state": "absent"}),
        container("/dev/nvidia-uvm", modules={"loaded": {"nvidia_uvm": ...}}),
    ],
    ids=["there", "works", "versions differ", "made in passing", "no node at all", "host", "no module"],
)
def test_clear_when_the_node_is_not_what_is_missing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_container_could_not_be_examined() -> None:
    verdict = judge(FAULT, container("/dev/nvidia-uvm", container={"state": "error"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "container: error")


def test_fires_as_a_possibility_when_cuda_was_not_called() -> None:
    [finding] = judge(FAULT, container("/dev/nvidia-uvm", cuda={"state": "timeout"})).findings

    assert finding.certainty == "possible"


SAID = (
    (
        (
            "docker run --device /dev/nvidia0 --device /dev/nvidiactl myimg python -c "
            '"import torch; torch.zeros(1).cuda()"'
        ),
        "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment",
        "container: docker",
    ),
    (
        (
            "# note: 容器里有 /dev/nvidia0 和 /dev/nvidiactl，但没有 /dev/nvidia-uvm，"
            "nvidia-smi 正常，torch 不可用"
        ),
        "container: LXC",
    ),
    (
        (
            "# note: compose file lists devices /dev/nvidia0 and /dev/nvidiactl only; "
            "nvidia-smi works in the container, CUDA does not"
        ),
        "container: docker",
    ),
)
NEAR = (
    "Failed to initialize NVML: Unknown Error",
    "# note: docker, all nodes are there, after daemon-reload",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
