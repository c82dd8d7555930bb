"""docker-daemon-not-restarted"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "docker-daemon-not-restarted"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("docker: Error response from daemon: unknown or invalid runtime name: nvidia."),
            Certainty.POSSIBLE,
        ),
        ("ERROR: for app  Unknown runtime specified nvidia", Certainty.POSSIBLE),
    ],
)
def test_fires_on_a_runtime_the_daemon_does_not_know(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("docker: Error response from daemon: unknown or invalid runtime name: kata."),
        " Runtimes: io.containerd.runc.v2 nvidia runc",
    ],
)
def test_clear_on_another_runtime(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
