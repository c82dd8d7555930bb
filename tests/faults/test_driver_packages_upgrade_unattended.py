"""driver-packages-upgrade-unattended"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording
from tests.faults.remedies import asked, only

FAULT = "driver-packages-upgrade-unattended"
ARCHIVE = "580.95.05-0ubuntu0.24.04.2"


def server(
    version: str = ARCHIVE,
    held: bool = False,
    unattended: bool = True,
    excluded: list[str] | None = None,
    **changes: Any,
) -> Snapshot:
    packages = {
        "state": "read",
        "manager": "dpkg",
        "installed": {"libnvidia-compute-580": {"version": version, "held": held, "whole": True}},
        "unattended": unattended,
        "unattended_excluded": excluded or [],
    }
    return recording("h200-healthy", packages=packages, **changes)


def test_fires_on_a_server_as_a_note() -> None:
    [finding] = judge(FAULT, server()).findings

    assert (finding.kind, finding.evidence[0].value) == (Kind.RISK, ARCHIVE)


def test_fires_when_only_other_packages_are_excluded() -> None:
    assert judge(FAULT, server(excluded=["linux-", "docker("])).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "snapshot",
    [
        server(held=True),
        server(unattended=False),
        server(excluded=["libnvidia"]),
        server(version="580.95.05-1ubuntu1"),
        server(host={"distribution": "debian"}),
        server(container={"state": "read", "engine": "docker"}),
        server(pci={"functions": {"0000:00:06.0": {"device": "2684"}}}),
    ],
    ids=["held", "off", "excluded", "nvidia-repository", "debian", "container", "desktop"],
)
def test_clear_where_nothing_is_upgraded_behind_jobs(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_packages_are_unread() -> None:
    assert judge(FAULT, recording("h200-healthy")).reason == "packages: not-attempted"


def test_the_remedy_holds_every_package_of_the_release() -> None:
    row = {"version": ARCHIVE, "held": False, "whole": True}
    installed = {
        "libnvidia-compute-580": row,
        "nvidia-driver-580": row,
        "libnvidia-gl-580": row | {"held": True},
        "nvidia-container-toolkit": row | {"version": "1.19.1-1"},
        "linux-image-6.8.0-40-generic": row,
    }
    packages = {
        "state": "read",
        "manager": "dpkg",
        "installed": installed,
        "unattended": True,
        "unattended_excluded": [],
    }

    finding = only(FAULT, recording("h200-healthy", packages=packages))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert asked(finding) == [
        (Verb.PACKAGE_HOLD, {"package": "libnvidia-compute-580"}),
        (Verb.PACKAGE_HOLD, {"package": "nvidia-driver-580"}),
    ]
