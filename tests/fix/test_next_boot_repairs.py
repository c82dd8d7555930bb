"""Repairs of what only the next boot will bring: they can be asked for by name."""

from pathlib import Path
from typing import Any

import pytest

from codeblue.cli import fixing
from codeblue.model.snapshot import Snapshot
from tests.faults.next_boot import NEXT, machine

HERE = fixing.Where("local")
STARTED = {"state": "active", "enabled": "disabled", "restarts": 0, "running": True}
NOT_FOUND = "the last check did not find it here"


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def switched(row: dict[str, Any]) -> Snapshot:
    """Return a machine with NVSwitches whose fabric manager no boot starts."""
    services = {"services": {"nvidia-fabricmanager": row}}
    return machine({"enabled": []}, services=services, pci={"nvswitches": 4})


@pytest.mark.parametrize(
    ("fault", "snapshot", "reason"),
    [
        ("service-not-enabled-at-boot", switched(STARTED), "nvidia-fabricmanager"),
        ("initramfs-not-rebuilt", machine({"initramfs_version": "570.86.15"}), NEXT),
        ("nouveau-not-blacklisted-for-next-boot", machine({"nouveau_disabled": {}}), NEXT),
    ],
)
def test_its_steps_are_held_against_this_machine(fault: str, snapshot: Snapshot, reason: str) -> None:
    made, refused = fixing.plan_for(fixing.diagnosed(snapshot, HERE), (fault,), None)

    assert made.items == ()  # this machine has neither the service nor the kernel
    [(named, why)] = refused
    assert named == fault
    assert reason in why.say("en")


def test_it_is_no_part_of_a_plan_that_nobody_asked_for() -> None:
    made, refused = fixing.plan_for(fixing.diagnosed(switched(STARTED), HERE), (), None)

    assert (made.items, refused) == ((), ())


def test_one_that_is_enabled_is_not_found() -> None:
    fault = "service-not-enabled-at-boot"

    _, refused = fixing.plan_for(
        fixing.diagnosed(switched(STARTED | {"enabled": "enabled"}), HERE), (fault,), None
    )

    assert [(one, why.say("en")) for one, why in refused] == [(fault, NOT_FOUND)]
