"""persistenced-library-missing-headless"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "persistenced-library-missing-headless"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "nvidia-persistenced: error while loading shared libraries: libnvidia-cfg.so.1: "
                "cannot open shared object file: No such file or directory"
            ),
            Certainty.CERTAIN,
        ),
        ("nvidia-persistenced[811]: Failed to open libnvidia-cfg.so.1", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_library_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "systemd[1]: Started NVIDIA Persistence Daemon.",
        "libcuda.so.1: cannot open shared object file: No such file or directory",
    ],
)
def test_clear_on_a_daemon_that_runs(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
