"""data-storage-slow"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import LOCAL, tried

FAULT = "data-storage-slow"
NFS = {**LOCAL, "kind": "nfs4", "network": True}
SILENT = {"path": "/data", "kind": "nfs4", "network": True, "error": "no answer within 8 s"}


def reads(milliseconds: float) -> dict[str, Any]:
    return {"read": {"p50_ms": milliseconds, "p99_ms": 3 * milliseconds, "count": 100}}


def test_fires_on_small_files_of_the_data() -> None:
    data = LOCAL | {"given_files": reads(11.0)}

    [finding] = judge(FAULT, tried(storage={"data": data})).findings

    assert (finding.subject, finding.variant, finding.kind) == ("storage:data", "latency", Kind.TROUBLE)
    assert finding.evidence[0].value == 11.0


def test_fires_on_a_large_file_of_the_data() -> None:
    [finding] = judge(FAULT, tried(storage={"data": NFS | {"read_mbs": 44.0}})).findings

    assert (finding.variant, finding.kind) == ("bandwidth", Kind.TROUBLE)


def test_fires_as_a_risk_where_only_the_working_directory_is_slow() -> None:
    [finding] = judge(FAULT, tried(storage={"cwd": NFS | {"small_files": reads(20.0)}})).findings

    assert finding.kind is Kind.RISK


@pytest.mark.parametrize("small", [True, False])
def test_fires_where_nothing_answers(small: bool) -> None:
    [finding] = judge(FAULT, tried(storage={"data": SILENT}, small=small)).findings

    assert finding.variant == "silent"


@pytest.mark.parametrize(
    "storage",
    [
        {"cwd": LOCAL, "data": LOCAL | {"given_files": reads(0.4)}},
        {"cwd": LOCAL | {"small_files": reads(12.0)}},  # a local disk under the working directory
        {"data": NFS | {"read_mbs": 44.0, "direct": False}},  # not measured apart from the cache
        {"data": {"path": "/nowhere", "error": "FileNotFoundError: [Errno 2] No such file or directory"}},
    ],
)
def test_clear_on_what_is_fast_or_not_known_to_be_slow(storage: dict[str, Any]) -> None:
    assert judge(FAULT, tried(storage=storage)).outcome is Outcome.CLEAR


def test_clear_when_small() -> None:
    data = LOCAL | {"given_files": reads(11.0), "read_mbs": 5.0}

    assert judge(FAULT, tried(storage={"data": data}, small=True)).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
