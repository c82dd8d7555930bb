"""process-maps-deleted-driver-library"""

from typing import Any

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording

OLD = "/usr/lib/x86_64-linux-gnu/libcuda.so.570.86.15"


def judged(**process: Any) -> Verdict:
    section = {"state": "read", "deleted_libraries": []} | process
    return judge("process-maps-deleted-driver-library", recording("h200-healthy", process=section))


def test_fires_as_a_risk_when_libcuda_was_replaced() -> None:
    [finding] = judged(deleted_libraries=["/usr/lib/libgomp.so.1.0.0", OLD]).findings

    assert finding.kind is Kind.RISK
    assert OLD in finding.summary.say("en")


def test_clear_when_another_library_was_replaced_or_none() -> None:
    other = ["/env/lib/libcudart.so.12.4.99", "/usr/lib/libstdc++.so.6.0.33"]

    assert judged(deleted_libraries=other).outcome is Outcome.CLEAR
    assert judged().outcome is Outcome.CLEAR


def test_clear_when_no_process_was_named() -> None:
    assert judged(state="absent").outcome is Outcome.CLEAR


def test_claims_nothing_when_the_maps_were_not_read() -> None:
    content = {"state": "read", "unread": {"deleted_libraries": "denied"}}
    snapshot = recording("h200-healthy", process=content)
    verdict = judge("process-maps-deleted-driver-library", snapshot)

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "process.deleted_libraries: denied")
