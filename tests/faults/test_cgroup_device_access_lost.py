"""cgroup-device-access-lost"""

import pytest

from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.rank import rank
from codeblue.faults import index
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

FAULT = "cgroup-device-access-lost"
WORDS = "Failed to initialize NVML: Unknown Error"


def test_fires_as_a_possibility_on_the_words_of_nvml() -> None:
    [finding] = judge(FAULT, text("$ nvidia-smi", WORDS)).findings

    assert finding.certainty is Certainty.POSSIBLE


def test_clear_on_other_words_of_nvml() -> None:
    assert judge(FAULT, text("Failed to initialize NVML: Driver Not Loaded")).outcome is Outcome.CLEAR


def test_clear_of_blame_when_the_mode_of_the_node_explains_the_words() -> None:
    closed = {"nodes": {"/dev/nvidiactl": {"mode": "0644", "open_rw": "EACCES"}}}
    view = assemble(joined(recording("h200-healthy", nodes=closed), text(WORDS)))
    faults = [index.load(index.entries()[name]) for name in (FAULT, "device-node-permissions")]
    findings = [finding for verdict in evaluate(faults, view) for finding in verdict.findings]

    causes, consequences = rank(findings, index.explains())

    assert [cause.finding.fault for cause in causes] == ["device-node-permissions"]
    assert [one.finding.fault for one in consequences] == [FAULT]


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "Failed to initialize NVML: Unknown Error",
        (
            "# note: training works for several hours, then the GPU vanishes in the "
            "container; restarting it helps"
        ),
        "container: docker",
    ),
    ("# note: 容器跑了两天后突然报 Failed to initialize NVML: Unknown Error，重启容器就恢复",),
    (
        (
            "# note: pods lose the GPU at random: NVML Unknown Error inside, fine on the "
            "node; systemd cgroup driver"
        ),
        "k8s: 1.24",
    ),
)
NEAR = (
    "Unable to determine the device handle for GPU 0000:01:00.0: Unknown Error",
    "# note: after some hours of training",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
