"""pcie-link-unstable-at-full-speed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "pcie-link-unstable-at-full-speed"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                ("NVRM: kgspBootstrap_GH100: GSP-FMC reported an error while attempting to boot GSP: 0x5"),
                "# note: card in a Thunderbolt enclosure",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 用 OCuLink 外接显卡，负载一上来就掉卡，把链路降到 Gen3 后稳定",),
        ),
        (
            Certainty.LIKELY,
            (
                "NVRM: Xid (PCI:0000:05:00): 79, GPU has fallen off the bus.",
                "# note: after I limited the slot to PCIe 3.0 it is stable",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "pcieport 0000:00:1d.0: AER: Corrected error received",
                "NVRM: RmInitAdapter failed! (0x62:0x55:1861)",
                "# note: 40 cm riser cable",
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
            "NVRM: RmInitAdapter failed! (0x22:0x56:884)",
            "gpu: RTX 5090",
        ),
        (
            "NVRM: Xid 79, GPU has fallen off the bus.",
            "# note: under load, wall socket shared",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
