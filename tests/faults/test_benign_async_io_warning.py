"""benign-async-io-warning"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-async-io-warning"
TEXTS = (
    (
        Certainty.CERTAIN,
        ((" [WARNING]  async_io requires the dev libaio .so object and headers but these were not found."),),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: deepspeed prints that libaio is missing, training runs, can I ignore it"),),
    ),
    (Certainty.POSSIBLE, ("# note: 启动时 deepspeed 警告没有 async_io 所需的库",)),
)
OTHERS = (
    ("# note: libaio missing, deepspeed ends with: Unable to pre-compile async_io",),
    ("async_io ............... [NO] ....... [OKAY]",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_the_missing_disk_offload(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_lines_of_deepspeed(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
