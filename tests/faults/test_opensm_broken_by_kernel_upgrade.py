"""opensm-broken-by-kernel-upgrade"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "opensm-broken-by-kernel-upgrade"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            ("osm_vendor_bind: ERR 5426: Unable to register class 129 version 1",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: opensm exits at once since we updated the kernel to 6.11",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 升级内核之后 opensm 起不来",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        ("Unit opensm.service could not be found.",),
        ("# note: kernel upgraded, NVIDIA module fails to load",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
