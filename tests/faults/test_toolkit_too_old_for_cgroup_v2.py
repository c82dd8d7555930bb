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


SAID = (
    (
        ("# note: docker 起 GPU 容器报 cgroup 错误，系统是 cgroup v2，libnvidia-container 版本 1.3.1"),
        "os: Fedora 33",
    ),
    (
        (
            "# note: with systemd.unified_cgroup_hierarchy=0 the GPU container starts, with "
            "cgroup v2 nvidia-container-cli fails"
        ),
        "os: Ubuntu 21.10",
    ),
    (
        "nvidia-container-cli: container error: cgroup subsystem devices not found: unknown.",
        "os: Debian 11",
    ),
)
NEAR = (
    "Failed to initialize NVML: Unknown Error",
    "# note: cgroup v2 host, toolkit 1.17, after daemon-reload",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
