"""conda-32bit-platform"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-32bit-platform"
TEXTS = (
    (
        Certainty.CERTAIN,
        (
            ("PackagesNotFoundError: The following packages are not available from current channels:"),
            "  - pytorch",
            "  - https://conda.anaconda.org/pytorch/win-32",
        ),
    ),
    (Certainty.CERTAIN, ("       platform : win-32",)),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: torch cannot be found; it turned out that a 32-bit Anaconda was "
                "installed on the 64-bit system"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 装的是 32 位的 miniconda，conda install pytorch 提示找不到包",)),
)
OTHERS = (
    (
        ("PackagesNotFoundError: The following packages are not available from current channels:"),
        "  - https://conda.anaconda.org/pytorch/win-64",
    ),
    ("# note: 32-bit floats, conda environment",),
    ("# note: fp32 is slow with conda's torch, 32 GB of memory",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_32_bit_channels(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_64_bit_channels(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
