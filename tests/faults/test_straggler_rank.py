"""straggler-rank"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording


def test_fires_when_…() -> None:
    [finding] = judge("straggler-rank", recording("h200-healthy")).findings

    assert finding.subject == "…"


def test_clear_when_…() -> None:
    assert judge("straggler-rank", recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_fact_was_not_read() -> None:
    assert judge("straggler-rank", recording("h200-healthy", driver={"state": "denied"})).outcome is Outcome.SKIPPED
