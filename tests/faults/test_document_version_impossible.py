"""document-version-impossible"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "document-version-impossible"
SHOWS = (
    ("# note: our docs list torch 1.13 with cu121, such a wheel was never published",),
    ("requirements.txt: torch==1.12.1+cu121",),
    (
        "| README: CUDA | minimum driver |",
        "| 12.2 | 450.36 |",
    ),
    ("# note: 手册里的版本对照表有误，CUDA 12.4 配驱动 460 根本不存在",),
    (
        "the compatibility table in our handbook claims CUDA 13.0 needs at least driver 470",
        "# note: that row must be wrong",
    ),
)
OTHERS = (
    ("requirements.txt: torch==2.6.0+cu124",),
    (
        "| README: CUDA | minimum driver |",
        "| 12.2 | 525.60.13 |",
    ),
    ("ERROR: No matching distribution found for torch==1.12.1+cu121",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_pairs_that_never_existed(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_pairs_that_exist_and_an_install_error_alone(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
