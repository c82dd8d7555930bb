"""ib-firmware-too-old"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ib-firmware-too-old"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (("mlx4_en 0000:07:00.0: LSO not supported, please upgrade to later FW version to enable LSO"),),
        ),
        (
            Certainty.CERTAIN,
            (("mlx4_core 0000:07:00.0: Installed FW has unsupported command interface revision 2"),),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 部分节点 IB 网卡固件太旧，ibstat 没有设备，升级固件后正常",),
        ),
        (
            Certainty.LIKELY,
            (
                "Fatal error:  device '*': sys files not found (/sys/class/infiniband/*/ports)",
                "# note: some nodes carry cards with an older firmware",
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
            "NVRM: GPU firmware is older, RmInitAdapter failed",
            "# note: ConnectX card is fine",
        ),
        (
            "Port 1:",
            "State: Initializing",
            "# note: no subnet manager",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
