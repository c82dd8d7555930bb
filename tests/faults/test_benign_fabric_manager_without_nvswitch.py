"""benign-fabric-manager-without-nvswitch"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-fabric-manager-without-nvswitch"


def service(state: str) -> dict[str, Any]:
    """Return the services with fabric manager in this state."""
    return {"services": {"nvidia-fabricmanager": {"state": state, "enabled": "enabled", "running": False}}}


def test_fires_as_harmless_when_it_failed_without_an_nvswitch() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", services=service("failed"))).findings

    assert (finding.kind, finding.subject) == (Kind.HARMLESS, "service:nvidia-fabricmanager")


def test_fires_on_its_own_words() -> None:
    line = (
        "nv-fabricmanager[90]: request to query NVSwitch device information from NVSwitch driver failed "
        "with error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]"
    )

    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "changes",
    [
        {"services": service("active")},
        {"services": service("failed"), "pci": {"nvswitches": 4}},
        {"services": service("failed"), "cuda": {"init": 802, "count": None}},
    ],
    ids=["running", "with an NVSwitch", "CUDA waits for the fabric"],
)
def test_clear_when_the_service_runs_or_is_needed(changes: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", **changes)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_services_were_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", services={"state": "unsupported"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "services: unsupported")
