"""cuda-index-misses-dependency"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-index-misses-dependency"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "Looking in indexes: https://download.pytorch.org/whl/cu128",
            (
                "ERROR: Could not find a version that satisfies the requirement sympy>=1.13.3 "
                "(from torch) (from versions: none)"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: pip with --index-url of cu130 fails, nvidia-cudnn-cu13 is not on that "
                "index; with PyPI added it installs"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 只用 pytorch 的 cu128 源安装，找不到 triton",)),
)
OTHERS = (
    (
        "Looking in indexes: https://download.pytorch.org/whl/cu128",
        ("ERROR: Could not find a version that satisfies the requirement torch==2.9.0 (from versions: none)"),
    ),
    ("# note: triton is not available on this GPU",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_missing_dependency(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_missing_torch(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
