"""gpus-not-offered-to-pods"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording

FAULT = "gpus-not-offered-to-pods"
LABEL = {"nvidia.com/gpu.present": "true"}
NO_GPU: dict[str, Any] = {"nvidia_gpus": []}


def machine(recorded: str = "h200-healthy", pci: dict[str, Any] | None = None, **told: Any) -> Snapshot:
    """Return a node with a GPU of which the cluster says this."""
    section = {"state": "read", "allocatable": {}, "capacity": {}, "labels": {}, "claims": []} | told
    section = {name: value for name, value in section.items() if value is not ...}
    changes = {"kubernetes_node": section} | ({"pci": pci} if pci else {})
    return recording(recorded, **changes)


def test_fires_on_a_gpu_that_the_probe_has_seen() -> None:
    [finding] = judge(FAULT, machine()).findings

    assert (finding.subject, finding.certainty) == ("node", Certainty.LIKELY)
    assert [e.path for e in finding.evidence] == [
        "kubernetes_node.allocatable",
        "pci.nvidia_gpus",
        "kubernetes_node.claims",
    ]


@pytest.mark.parametrize(
    "labels",
    [
        LABEL,
        {"cloud.google.com/gke-accelerator": "nvidia-l4"},
        {"feature.node.kubernetes.io/pci-0302_10de.present": "true"},
    ],
)
def test_fires_on_a_label(labels: dict[str, str]) -> None:
    counts = {"nvidia.com/gpu": 0}
    snapshot = machine(pci=NO_GPU, labels=labels, allocatable=counts, capacity=counts)

    [finding] = judge(FAULT, snapshot).findings

    assert finding.evidence[1].path.startswith("kubernetes_node.labels[")
    assert finding.evidence[1].value == next(iter(labels.values()))


def test_is_only_possible_where_claims_were_not_read() -> None:
    [finding] = judge(FAULT, machine(claims=..., unread={"claims": "denied"})).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "told",
    [
        {"allocatable": {"nvidia.com/gpu": 8}, "capacity": {"nvidia.com/gpu": 8}},
        {"allocatable": {"nvidia.com/mig-1g.10gb": 7}, "capacity": {}},
        {"allocatable": {"nvidia.com/gpu": 0}, "capacity": {"nvidia.com/gpu": 8}},
        {"claims": ["gpu.nvidia.com"]},
        {"labels": LABEL | {"nvidia.com/gpu.workload.config": "vm-passthrough"}},
        {"labels": LABEL | {"nvidia.com/gpu.deploy.device-plugin": "false"}},
        {"labels": LABEL | {"nvidia.com/mig.config.state": "pending"}},
        {"pci": NO_GPU},
        {"pci": NO_GPU, "labels": {"nvidia.com/gpu.present": "false"}},
    ],
    ids=["offered", "slices", "unhealthy", "claims", "virtual", "off", "being-cut", "none", "no"],
)
def test_clear_where_pods_can_have_them_or_are_not_to(told: dict[str, Any]) -> None:
    assert judge(FAULT, machine(**told)).outcome is Outcome.CLEAR


def test_claims_nothing_where_no_cluster_was_asked() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED


@pytest.mark.parametrize("unread", ["allocatable", "labels"])
def test_claims_nothing_where_the_cluster_did_not_tell(unread: str) -> None:
    told: dict[str, Any] = {unread: ...}

    assert judge(FAULT, machine(**told)).outcome is Outcome.SKIPPED


def test_claims_nothing_where_devices_could_not_be_listed() -> None:
    assert judge(FAULT, machine(pci={"state": "denied"}, labels=LABEL)).outcome is Outcome.SKIPPED
