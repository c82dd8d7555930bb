"""munge-daemon-holds-old-key"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "munge-daemon-holds-old-key"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            ("unmunge: Error: Invalid credential",),
        ),
        (
            Certainty.LIKELY,
            ("slurmctld[90]: error: Munge decode failed: Invalid credential",),
        ),
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: munge.key is identical on both hosts, still authentication error until "
                    "munge was restarted"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 复制了新密钥但没有重启 munge，slurmd 认证失败",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "unmunge: Error: Expired credential",
            "# note: munge keys are the same, clock differs",
        ),
        (
            (
                'sbatch: error: Munge encode failed: Failed to access "/run/munge/munge.socket.2": '
                "No such file or directory"
            ),
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
