"""subnet-manager-not-running"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "subnet-manager-not-running"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "Infiniband device 'mlx4_0' port 1 status:",
                "state: 2: INIT",
                "phys state: 5: LinkUp",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "State: Initializing",
                "Physical state: LinkUp",
                "# note: two hosts connected by one cable, ibstat",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "Unit opensm.service could not be found.",
                "# note: fresh cluster, ib ports are not active",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: IB 端口起不来，交换机是非管理型的，没有子网管理器",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Physical state: LinkUp",
            "State: Active",
        ),
        (
            "osm_vendor_bind: ERR 5426: Unable to register class 129 version 1",
            "# note: opensm is not running after the kernel upgrade",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings == ()


def fabric(*ports: tuple[str, str], **changes: Any) -> Snapshot:
    network = {
        "state": "read",
        "interfaces": {},
        "rdma": {
            "mlx5_0": {
                "driver": "mlx5_core",
                "firmware": "28.42",
                "ports": {
                    str(number): {"state": state, "link_layer": layer, "rate": "100 Gb/sec (4X EDR)"}
                    for number, (state, layer) in enumerate(ports, start=1)
                },
            }
        },
        "rdma_nodes": ["uverbs0"],
        "peermem": None,
    }
    return recording("h200-healthy", **{"network": network, **changes})


def test_fires_on_a_port_that_waits() -> None:
    [finding] = judge(FAULT, fabric(("active", "infiniband"), ("init", "infiniband"))).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "port:mlx5_0/2")
    assert finding.evidence[0].value == "init"


@pytest.mark.parametrize("state", ["active", "down", "armed"])
def test_clear_where_a_port_is_configured_or_has_no_link(state: str) -> None:
    assert judge(FAULT, fabric((state, "infiniband"))).outcome is Outcome.CLEAR


def test_clear_on_ethernet() -> None:
    assert judge(FAULT, fabric(("init", "ethernet"))).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_network_is_unread() -> None:
    assert judge(FAULT, fabric(network={"state": "denied"})).outcome is Outcome.SKIPPED


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
