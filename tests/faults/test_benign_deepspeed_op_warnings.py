"""benign-deepspeed-op-warnings"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-deepspeed-op-warnings"
TEXTS = (
    (
        Certainty.CERTAIN,
        ((" [WARNING]  using untested triton version (3.1.0), only 1.0.0 is known to be compatible"),),
    ),
    (
        Certainty.CERTAIN,
        ((" [WARNING]  sparse_attn requires a torch version >= 1.5 and < 2.0 but detected 2.4"),),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: ds_report of deepspeed warns about sparse_attn and evoformer, training runs"),),
    ),
    (Certainty.POSSIBLE, ("# note: deepspeed 启动时有算子不兼容的警告，训练正常",)),
)
OTHERS = (
    ("RuntimeError: Error building extension 'fused_adam'",),
    (
        "[ERROR]  Unable to pre-compile sparse_attn",
        "# deepspeed warns",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_optional_operators(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_failed_build(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
