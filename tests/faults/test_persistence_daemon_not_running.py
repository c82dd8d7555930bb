"""persistence-daemon-not-running"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

OFF = {"gpus": {"0": {"persistence": False}}}
CONTAINER = {"state": "read", "engine": "docker", "injected": []}


def daemon(running: Any, state: str | None = "failed") -> dict[str, Any]:
    return {"services": {"nvidia-persistenced": {"state": state, "running": running}}}


def judged(**changes: Any) -> Verdict:
    stopped = {"nvml": OFF, "services": daemon(running=False)}
    return judge("persistence-daemon-not-running", recording("h200-healthy", **(stopped | changes)))


def test_fires_as_a_risk_when_it_is_installed_and_stopped() -> None:
    [finding] = judged().findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "service:nvidia-persistenced")
    assert "(failed)" in finding.summary.say("en")


@pytest.mark.parametrize(
    "changes",
    [
        {"nvml": {}},
        {"services": daemon(running=True, state="active")},
        {"services": {"services": {}}},
        {"container": CONTAINER},
        {"nvml": {"gpus": {"0": {"persistence": False, "name": "NVIDIA GeForce RTX 4090"}}}},
    ],
    ids=["mode on", "runs", "not installed", "container", "desktop"],
)
def test_clear_where_nobody_misses_it(changes: dict[str, Any]) -> None:
    assert judged(**changes).outcome is Outcome.CLEAR


def test_claims_nothing_when_processes_are_hidden() -> None:
    row = {"services": {"nvidia-persistenced": {"state": "inactive"}}}

    assert judged(services=row).outcome is Outcome.SKIPPED


TOLD = (
    (
        "nvidia-persistenced.service - NVIDIA Persistence Daemon",
        "Active: inactive (dead)",
    ),
    ("# note: nvidia-persistenced is masked on half of the nodes",),
    ("nvidia-persistenced failed to initialize. Check syslog for more details.",),
    ("# note: 节点交付检查，nvidia-persistenced 没有启动",),
)
QUIET = (
    (
        "nvidia-persistenced.service - NVIDIA Persistence Daemon",
        "Active: active (running)",
    ),
    ("# note: nvidia-persistenced runs, job failed with exit code 1",),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_a_daemon_that_is_down(lines: tuple[str, ...]) -> None:
    assert judge("persistence-daemon-not-running", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_a_running_daemon(lines: tuple[str, ...]) -> None:
    assert not judge("persistence-daemon-not-running", text(*lines)).findings


def test_fires_on_what_systemctl_says() -> None:
    words = text(
        "    Persistence Mode : Disabled",
        "$ systemctl status nvidia-persistenced",
        "     Active: inactive (dead)",
    )

    assert judge("persistence-daemon-not-running", words).outcome is Outcome.FIRED


def test_clear_on_the_words_of_one_that_runs() -> None:
    words = text(
        "    Persistence Mode : Enabled",
        "$ systemctl is-active nvidia-persistenced",
        "active",
    )

    assert judge("persistence-daemon-not-running", words).outcome is not Outcome.FIRED
