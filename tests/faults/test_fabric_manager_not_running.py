"""fabric-manager-not-running"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording, text

SWITCHES = {"nvswitches": 4}
STOPPED = {"services": {"nvidia-fabricmanager": {"state": "failed", "running": False}}}
RUNNING = {"services": {"nvidia-fabricmanager": {"state": "active", "running": True}}}
CONTAINER = {"state": "read", "engine": "docker", "injected": []}


def judged(**changes: Any) -> Verdict:
    broken = {"cuda": {"init": 802}, "pci": SWITCHES, "services": STOPPED} | changes
    return judge("fabric-manager-not-running", recording("h200-healthy", **broken))


def test_fires_when_its_service_is_stopped() -> None:
    [finding] = judged().findings

    assert (finding.certainty, finding.variant) == (Certainty.CERTAIN, None)
    assert finding.remedy is not None and finding.remedy.steps[0].verb is Verb.SERVICE_START


def test_fires_when_it_is_not_installed() -> None:
    [finding] = judged(services={}).findings

    assert finding.variant == "not-seen"
    assert finding.remedy is not None and finding.remedy.steps[0].verb is Verb.INSTRUCT


@pytest.mark.parametrize(
    ("changes", "certainty"),
    [
        ({"container": CONTAINER}, Certainty.LIKELY),
        ({"container": CONTAINER, "pci": {}}, Certainty.POSSIBLE),
        ({"pci": {}}, Certainty.POSSIBLE),
        ({"pci": {}, "host": {"hypervisor": None}}, Certainty.LIKELY),
    ],
)
def test_fires_less_surely_where_it_may_run_outside(changes: dict[str, Any], certainty: Certainty) -> None:
    [finding] = judged(**changes).findings

    assert finding.certainty is certainty


def test_fires_on_the_words_of_cuda() -> None:
    line = "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized"

    [finding] = judge("fabric-manager-not-running", text(line)).findings

    assert finding.certainty is Certainty.LIKELY


def test_clear_when_cuda_says_something_else_or_it_runs() -> None:
    assert judged(cuda={"init": 0}).outcome is Outcome.CLEAR
    assert judged(cuda={"init": 100}).outcome is Outcome.CLEAR
    assert judged(services=RUNNING).outcome is Outcome.CLEAR


def test_fires_less_surely_when_the_services_could_not_be_read() -> None:
    [finding] = judged(services={"state": "denied"}).findings

    assert finding.certainty is Certainty.LIKELY
    assert "services.services" not in [e.path for e in finding.evidence]


def test_claims_nothing_when_neither_cuda_nor_the_services_say_anything() -> None:
    verdict = judged(services={"state": "denied"}, cuda={"init": 0})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "services: denied")


SAID = (
    (
        ">>> torch.cuda.is_available()",
        "False",
        "$ systemctl status nvidia-fabricmanager",
        "Unit nvidia-fabricmanager.service could not be found.",
        "gpu: 8x A100-SXM4",
    ),
    (
        "# note: 8 卡 HGX，fabricmanager 没启动，torch 报 CUDA initialization error",
        "gpu: H800 x8",
    ),
    (
        "CUDA error: system not yet initialized",
        "gpu: HGX H200",
    ),
)
NEAR = (
    "nvidia-fabricmanager.service: Main process exited, code=exited, status=1/FAILURE",
    "gpu: 2x RTX 4090",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("fabric-manager-not-running", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("fabric-manager-not-running", text(*NEAR)).outcome is not Outcome.FIRED
