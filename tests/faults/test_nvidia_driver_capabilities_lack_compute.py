"""nvidia-driver-capabilities-lack-compute"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from codeblue.remedy.registry import ACTIONS
from tests.conftest import judge, recording
from tests.faults.remedies import asked, only

FAULT = "nvidia-driver-capabilities-lack-compute"
GONE = {"exists": False, "mode_after": None}
PATHS = ("/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")


def container(listed: str | None = "utility,video", libcuda: str | None = None, **changes: Any) -> Snapshot:
    variables = {} if listed is None else {"NVIDIA_DRIVER_CAPABILITIES": listed}
    sections: dict[str, Any] = {
        "container": {"state": "read", "engine": "docker", "injected": []},
        "loader": {"libraries": {"libcuda.so.1": {"path": libcuda}}},
        "environment": {"variables": variables},
    }
    return recording("h200-healthy", **(sections | changes))


def test_fires_when_compute_was_left_out() -> None:
    [finding] = judge(FAULT, container()).findings

    assert finding.subject == "env:NVIDIA_DRIVER_CAPABILITIES"
    assert [e.value for e in finding.evidence] == ["utility,video", None]


@pytest.mark.parametrize(
    "snapshot",
    [
        container("compute, utility"),
        container("all"),
        container(""),
        container(None),
        container(libcuda="/usr/lib/libcuda.so.1"),
        container(nodes={"nodes": dict.fromkeys(PATHS, GONE)}),
        container(container={"state": "absent"}),
    ],
    ids=["compute", "all", "empty", "unset", "libcuda found", "no GPU given", "host"],
)
def test_clear_when_compute_is_not_what_is_missing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_loader_was_not_asked() -> None:
    verdict = judge(FAULT, container(loader={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "loader: timeout")


def test_fires_without_the_nodes_when_the_runtime_brought_files() -> None:
    injected = {"state": "read", "engine": "docker", "injected": ["/usr/bin/nvidia-smi"]}

    assert judge(FAULT, container(container=injected, nodes={"state": "error"})).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    ("listed", "value"),
    [("utility,video", "compute,utility,video"), (" graphics , $(reboot) --rm", "compute,graphics")],
)
def test_the_remedy_has_the_option_with_the_known_names_only(listed: str, value: str) -> None:
    finding = only(FAULT, container(listed))

    assert asked(finding)[1] == (
        Verb.CONTAINER_FLAGS,
        {"flags": f"--env NVIDIA_DRIVER_CAPABILITIES={value}"},
    )
    assert finding.remedy is not None
    assert ACTIONS[Verb.CONTAINER_FLAGS].look(finding.remedy.steps[1].args).needed
