"""gpu-poorly-seated"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-poorly-seated"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                (
                    "NVRM: Xid (PCI:0000:41:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen "
                    "off the bus."
                ),
                "# note: gone after reseating the card",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 八张卡只识别到七张，重新插拔之后正常",),
        ),
        (
            Certainty.POSSIBLE,
            (("NVRM: gpuWaitForGfwBootComplete_TU102: failed to wait for GFW_BOOT: (progress 0x3)"),),
        ),
        (
            Certainty.POSSIBLE,
            (("# note: one GPU disappears from lspci now and then, the card was not fully inserted"),),
        ),
        (
            Certainty.LIKELY,
            (
                "No devices were found",
                "# note: since the server was shipped to the new site the card is not detected",
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
            "NVRM: Xid (PCI:0000:41:00): 79, GPU has fallen off the bus.",
            "# note: under full load",
        ),
        ("# note: the NVLink bridge is loose",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_on_fewer_cards_since_the_move() -> None:
    words = text(
        "$ nvidia-smi -L | wc -l",
        "7",
        "# note: only 7 of 8 GPUs since we moved the node to the new cage",
    )

    assert judge("gpu-poorly-seated", words).outcome is Outcome.FIRED
