"""cache-dir-owned-by-other-user"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cache-dir-owned-by-other-user"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (("PermissionError: [Errno 13] Permission denied: '/tmp/torchinductor_root/xy'"), Certainty.CERTAIN),
        ("PermissionError: [Errno 13] Permission denied: '/tmp/ray/session_latest'", Certainty.CERTAIN),
    ],
)
def test_fires_on_a_cache_of_somebody_else(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "PermissionError: [Errno 13] Permission denied: '/data/train.bin'",
        "PermissionError: [Errno 13] Permission denied: '/tmp/mine'",
    ],
)
def test_clear_on_a_folder_of_ones_own(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
