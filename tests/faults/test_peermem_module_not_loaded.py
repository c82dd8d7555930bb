"""peermem-module-not-loaded"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "peermem-module-not-loaded"


def cluster(
    driver: str = "mlx5_core",
    state: str = "active",
    layer: str = "infiniband",
    flavour: str = "proprietary",
    peermem: str | None = None,
    nodes: tuple[str, ...] = ("uverbs0",),
    **changes: Any,
) -> Snapshot:
    port = {"state": state, "link_layer": layer, "rate": "400 Gb/sec (4X NDR)"}
    network = {
        "state": "read",
        "interfaces": {},
        "rdma": {"mlx5_0": {"driver": driver, "firmware": "28.42", "ports": {"1": port}}},
        "rdma_nodes": list(nodes),
        "peermem": peermem,
    }
    return recording("h200-healthy", network=network, driver={"flavour": flavour}, **changes)


def test_fires_with_the_proprietary_driver() -> None:
    [finding] = judge(FAULT, cluster()).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.CERTAIN)
    assert finding.evidence[0].value == "active"


def test_fires_on_a_kernel_without_dma_buf() -> None:
    snapshot = cluster(flavour="open", host={"kernel": "5.4.0-190-generic"})

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


DISABLED = "n1:7 NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'"


def test_fires_on_what_nccl_says_when_it_is_slow_between_nodes() -> None:
    [finding] = judge(FAULT, text(DISABLED, "# Avg bus bandwidth    : 9.8")).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)


def test_clear_on_what_nccl_says_while_nobody_complains() -> None:
    assert judge(FAULT, text(DISABLED)).findings == ()


@pytest.mark.parametrize(
    "snapshot",
    [
        cluster(peermem="nvidia_peermem"),
        cluster(flavour="open"),
        cluster(driver="efa"),
        cluster(state="down"),
        cluster(layer="ethernet"),
        cluster(nodes=()),
        cluster(environment={"variables": {"NCCL_IB_DISABLE": "1"}}),
        cluster(pci={"nvidia_gpus": []}),
    ],
    ids=["loaded", "dma-buf", "efa", "down", "ethernet", "not-handed-in", "unwanted", "no-gpu"],
)
def test_clear_where_it_is_there_or_not_needed(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_on_a_plain_network() -> None:
    assert (
        judge(FAULT, text("NCCL INFO NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'")).findings == ()
    )


def test_claims_nothing_when_the_network_is_unread() -> None:
    assert judge(FAULT, recording("h200-healthy")).reason == "network: not-attempted"


@pytest.mark.parametrize(("way", "kind"), [("NET/IB", Kind.TROUBLE), ("NET/IB/GDRDMA", Kind.RISK)])
def test_a_trial_shows_whether_the_detour_is_taken(way: str, kind: Kind) -> None:
    trial = {"state": "read", "passed_over": {}, "devices": {}, "log": {"transports": {way: 32}}}
    [finding] = judge(FAULT, cluster(nccl_trial=trial)).findings

    assert finding.kind is kind
