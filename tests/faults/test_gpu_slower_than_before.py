"""gpu-slower-than-before"""

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording

FAULT = "gpu-slower-than-before"


def earlier(now: float, runs: int = 5, lowest: float = 650.0) -> Snapshot:
    row = {"subject": "gpu:0", "now": now, "median": 666.0, "lowest": lowest, "runs": runs}
    history = {
        "state": "read",
        "source": "codeblue trial",
        "since": "2026-11-01T00:00:00Z",
        "measures": {"gpu/gpu:0/bf16-tflops": row},
    }
    return recording("h200-healthy", trial_history=history)


def test_fires_as_a_risk_a_little_below() -> None:
    [finding] = judge(FAULT, earlier(570.0)).findings

    assert (finding.subject, finding.kind) == ("gpu:0", Kind.RISK)
    assert "bf16-tflops" in finding.summary.say("en") and "666" in finding.summary.say("zh")


def test_fires_as_trouble_far_below() -> None:
    [finding] = judge(FAULT, earlier(300.0)).findings

    assert finding.kind is Kind.TROUBLE


def test_clear_within_the_span_of_earlier_runs() -> None:
    assert judge(FAULT, earlier(640.0)).outcome is Outcome.CLEAR
    assert judge(FAULT, earlier(560.0, lowest=555.0)).outcome is Outcome.CLEAR


def test_clear_while_there_are_few_runs() -> None:
    assert judge(FAULT, earlier(300.0, runs=2)).outcome is Outcome.CLEAR


def test_claims_nothing_without_earlier_runs() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
