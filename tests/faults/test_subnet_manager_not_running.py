"""subnet-manager-not-running"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
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
            (
                "# note: IB 端口起不来，交换机是非管理型的，没有子网管理器",
            ),
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
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
