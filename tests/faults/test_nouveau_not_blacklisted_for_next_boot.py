"""nouveau-not-blacklisted-for-next-boot"""

from pathlib import Path
from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge
from tests.faults.next_boot import NEXT, RUNNING, machine
from tests.faults.remedies import asked, look, only, verbs

FAULT = "nouveau-not-blacklisted-for-next-boot"
OPEN: dict[str, Any] = {"nouveau_disabled": {}}


@pytest.mark.parametrize(
    ("next_boot", "certainty"),
    [
        ({}, Certainty.LIKELY),
        ({"parameters": ["rd.driver.blacklist=nouveau"]}, Certainty.LIKELY),
        ({"parameters": None, "chosen_by": "newest-file"}, Certainty.LIKELY),
        ({"kernel": RUNNING}, Certainty.POSSIBLE),
    ],
)
def test_fires_when_both_may_take_the_gpu(next_boot: dict[str, Any], certainty: Certainty) -> None:
    [finding] = judge(FAULT, machine(OPEN | next_boot)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, certainty)


@pytest.mark.parametrize(
    "next_boot",
    [
        {},
        OPEN | {"nouveau": False},
        OPEN | {"modules": []},
        OPEN | {"parameters": ["modprobe.blacklist=foo,nouveau"]},
        OPEN | {"parameters": ["nouveau.modeset=0"]},
        OPEN | {"parameters": ["nomodeset"]},
    ],
)
def test_clear_where_only_one_can(next_boot: dict[str, Any]) -> None:
    assert judge(FAULT, machine(next_boot)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_parameters_are_unread() -> None:
    assert judge(FAULT, machine(OPEN | {"parameters": ...})).outcome is Outcome.SKIPPED


def test_the_remedy_needs_no_reboot_to_be_checked(tmp_path: Path) -> None:
    finding = only(FAULT, machine(OPEN))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert verbs(finding) == [Verb.FILE_WRITE, Verb.INITRAMFS_REBUILD]
    assert asked(finding)[1][1] == {"kernel": NEXT}
    assert "+options nouveau modeset=0" in look(finding.remedy.steps[0], tmp_path).shows


def test_the_remedy_is_an_instruction_without_an_image() -> None:
    assert verbs(only(FAULT, machine(OPEN | {"initramfs": None})))[0] is Verb.INSTRUCT
