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


SAID = (
    (
        (
            "nvidia-persistenced[1201]: Failed to query NVIDIA devices. libnvidia-cfg.so.1: "
            "cannot open shared object file"
        ),
        "os: Ubuntu 22.04",
    ),
    (
        (
            "# note: nvidia-headless-460 installed, systemctl status nvidia-persistenced is "
            "failed, libnvidia-cfg1-460 not present"
        ),
        "os: Ubuntu 20.04",
    ),
    (
        ("systemd[1]: nvidia-persistenced.service: Main process exited, code=exited, status=1/FAILURE"),
        "# note: server with nvidia-headless-550-server, no libnvidia-cfg package",
        "os: Ubuntu 24.04",
    ),
)
NEAR = (
    "nvidia-persistenced[9]: Started (9)",
    "# note: a server with a screen",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
