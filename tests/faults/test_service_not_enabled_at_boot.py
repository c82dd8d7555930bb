"""service-not-enabled-at-boot"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge
from tests.faults.next_boot import machine
from tests.faults.remedies import asked

STARTED = {"state": "active", "enabled": "disabled", "restarts": 0, "running": True}


def judged(row: dict[str, Any], nvswitches: int = 4, enabled: Any = ()) -> Verdict:
    changes = {"services": {"services": {"nvidia-fabricmanager": row}}, "pci": {"nvswitches": nvswitches}}
    now = enabled if enabled is ... else list(enabled)
    return judge("service-not-enabled-at-boot", machine({"enabled": now}, **changes))


def test_fires_when_it_was_only_started() -> None:
    [finding] = judged(STARTED).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "service:nvidia-fabricmanager")


@pytest.mark.parametrize(
    ("row", "settings"),
    [
        (STARTED, {"nvswitches": 0}),
        (STARTED, {"enabled": ["nvidia-fabricmanager"]}),
        (STARTED | {"enabled": "static"}, {}),
        (STARTED | {"state": "inactive"}, {}),
        (STARTED | {"state": None, "enabled": None}, {}),
    ],
    ids=["no switches", "linked", "started by another", "not running", "no systemd"],
)
def test_clear_where_nothing_changes(row: dict[str, Any], settings: dict[str, Any]) -> None:
    assert judged(row, **settings).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_links_are_unread() -> None:
    assert judged(STARTED, enabled=...).outcome is Outcome.SKIPPED


def test_the_remedy_enables_the_service() -> None:
    [finding] = judged(STARTED).findings

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert asked(finding) == [(Verb.SERVICE_ENABLE, {"service": "nvidia-fabricmanager"})]
