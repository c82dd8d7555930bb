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
