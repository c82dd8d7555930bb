"""service-flapping"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FLAPPING = {
    "state": "activating",
    "restarts": 12,
    "result": "exit-code",
    "last_start": 20.0,
    "running": False,
}


def judged(**row: Any) -> Verdict:
    services = {"services": {"dcgm-exporter": FLAPPING | row}}
    kept = {key: value for key, value in services["services"]["dcgm-exporter"].items() if value is not ...}
    return judge(
        "service-flapping", recording("h200-healthy", services={"services": {"dcgm-exporter": kept}})
    )


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"restarts": 5},
        {"state": "failed", "result": "start-limit-hit", "last_start": 90_000.0},
        {"state": "active", "result": "success", "last_start": 100.0},
    ],
    ids=["caught", "just often enough", "gave up", "between two starts"],
)
def test_fires_on_a_service_that_is_restarted_again_and_again(row: dict[str, Any]) -> None:
    [finding] = judged(**row).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.LIKELY)
    assert finding.subject == "service:dcgm-exporter"


@pytest.mark.parametrize(
    "row",
    [
        {"restarts": 4},
        {"restarts": None},
        {"state": "active", "last_start": 3600.0},
        {"state": "inactive", "last_start": None},
        {"state": None, "restarts": None},
    ],
    ids=["few", "old systemd", "settled", "stopped", "no systemd"],
)
def test_clear_on_what_has_settled(row: dict[str, Any]) -> None:
    assert judged(**row).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_last_start_is_unread() -> None:
    assert judged(state="active", last_start=...).outcome is Outcome.SKIPPED


TOLD = (
    ("systemd[1]: nvidia-fabricmanager.service: Scheduled restart job, restart counter is at 31.",),
    (
        "$ systemctl status nv-hostengine",
        "nv-hostengine.service: Start request repeated too quickly.",
    ),
    (
        "dcgm-exporter-x7k2p   0/1   CrashLoopBackOff   212 (3m ago)   2d",
        "# note: daemonset on the gpu nodes; training is fine",
    ),
    ("# note: slurmd keeps crashing and systemd brings it back, node flaps between idle and down",),
    ("# note: 节点上的 dcgm-exporter 服务一直重启，训练不受影响",),
)
QUIET = (
    ("systemd[1]: docker.service: Scheduled restart job, restart counter is at 1.",),
    ("# note: I restarted docker.service after the change and the job runs",),
    (
        "trainer-0   0/1   CrashLoopBackOff   7",
        "# note: torch import fails",
    ),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_a_restart_loop(lines: tuple[str, ...]) -> None:
    assert judge("service-flapping", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_few_restarts_and_restarted_jobs(lines: tuple[str, ...]) -> None:
    assert not judge("service-flapping", text(*lines)).findings


def test_fires_on_the_counter_of_systemd() -> None:
    words = text(
        "systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 57.",
    )

    assert judge("service-flapping", words).outcome is Outcome.FIRED


def test_clear_on_the_first_restart() -> None:
    words = text(
        "systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 1.",
    )

    assert judge("service-flapping", words).outcome is not Outcome.FIRED
