"""toolkit-too-old-for-cgroup-v2"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "toolkit-too-old-for-cgroup-v2"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("stderr: nvidia-container-cli: container error: cgroup subsystem devices not found: unknown."),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_when_the_controller_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted",
        "Cgroup Version: 2",
    ],
)
def test_clear_on_a_cgroup_v2_permission_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
