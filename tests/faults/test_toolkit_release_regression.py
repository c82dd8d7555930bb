"""toolkit-release-regression"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "toolkit-release-regression"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("ii  nvidia-container-toolkit  1.18.0-1  amd64  NVIDIA Container toolkit", Certainty.CERTAIN),
        ("NVIDIA Container Toolkit CLI version 1.14.0", Certainty.CERTAIN),
    ],
)
def test_fires_on_a_release_with_the_defect(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "ii  nvidia-container-toolkit  1.17.8-1  amd64  NVIDIA Container toolkit",
        "NVIDIA Container Toolkit CLI version 1.18.1",
    ],
)
def test_clear_on_other_releases(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        (
            "# note: since the update of nvidia-container-toolkit containers no longer "
            "start; downgrading to the previous release helps"
        ),
        "toolkit: 1.14.0",
    ),
    (("# note: nvidia-container-toolkit 从 1.17 升级到 1.18.0 之后 rootless docker 起不来，降级就好"),),
    (
        (
            "nvidia-container-cli: mount error: failed to add device rules: "
            "bpf_prog_query(BPF_CGROUP_DEVICE) failed"
        ),
        "# note: no-cgroups = true is set and was fine with 1.17",
        "toolkit: 1.18.0",
        "container: rootless docker",
    ),
)
NEAR = (
    "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch",
    "# note: since the driver upgrade",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
