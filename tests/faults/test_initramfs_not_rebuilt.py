"""initramfs-not-rebuilt"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge, text
from tests.faults.next_boot import FILE, NEXT, RUNNING, machine
from tests.faults.remedies import asked, only

FAULT = "initramfs-not-rebuilt"
OLDER = {"initramfs_time": 500.0}
HELD = {"functions": {"0000:00:06.0": {"driver": "nouveau"}}}


def test_fires_when_the_image_is_older_than_the_file() -> None:
    [finding] = judge(FAULT, machine(OLDER)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.POSSIBLE)
    assert FILE in finding.summary.say("en")


def test_fires_likely_when_nouveau_holds_the_gpu() -> None:
    booted = OLDER | {"kernel": RUNNING, "initramfs_booted": True}

    [finding] = judge(FAULT, machine(booted, pci=HELD)).findings

    assert finding.certainty is Certainty.LIKELY
    assert "nouveau-owns-gpu" in finding.explains


INSIDE: dict[str, Any] = {"initramfs_modules": ["nouveau.ko"], "initramfs_disabled": []}


@pytest.mark.parametrize("time", [{}, OLDER], ids=["newer", "older"])
def test_fires_likely_when_the_image_holds_nouveau_and_no_blacklist(time: dict[str, Any]) -> None:
    [finding] = judge(FAULT, machine(INSIDE | time)).findings

    assert finding.certainty is Certainty.LIKELY
    assert "holds nouveau" in finding.summary.say("en")


def test_fires_when_the_image_holds_another_driver() -> None:
    [finding] = judge(FAULT, machine({"initramfs_version": "570.86.15"})).findings

    assert (finding.variant, finding.certainty) == ("old-module", Certainty.LIKELY)
    assert "570.86.15" in finding.summary.say("en")


@pytest.mark.parametrize(
    "next_boot",
    [
        {},
        {"initramfs_version": None},
        {"initramfs_version": "580.159.04"},
        {"initramfs_version": "580.159.04", "module_version": ...},
        {"initramfs_version": "580.159.04", "modules": [], "module_version": None},
        OLDER | INSIDE | {"initramfs_modules": []},
        OLDER | INSIDE | {"initramfs_disabled": ["nouveau"]},
        INSIDE | {"parameters": ["rd.driver.blacklist=nouveau"]},
        INSIDE | {"kernel": RUNNING, "initramfs_booted": True},
        INSIDE | {"nouveau_disabled": {}},
        OLDER | {"nouveau_disabled": {FILE: 1000.0, "/usr/lib/modprobe.d/nvidia.conf": 100.0}},
        OLDER | {"nouveau_disabled": {}},
        OLDER | {"nouveau": False},
        OLDER | {"parameters": ["rd.driver.blacklist=nouveau"]},
        OLDER | {"kernel": RUNNING, "initramfs_booted": True},
        {"initramfs": None, "initramfs_time": None},
    ],
    ids=[
        "newer",
        "no driver inside",
        "the same driver inside",
        "unknown driver",
        "no driver installed",
        "nothing inside",
        "blacklist inside",
        "parameter over the inside",
        "inside and proved by this boot",
        "inside without a file",
        "an older file too",
        "no file",
        "no nouveau",
        "parameter",
        "proved by this boot",
        "no image",
    ],
)
def test_clear_where_the_image_cannot_load_nouveau(next_boot: dict[str, Any]) -> None:
    assert judge(FAULT, machine(next_boot)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_image_is_unread() -> None:
    assert judge(FAULT, machine({"initramfs_time": ...})).outcome is Outcome.SKIPPED


SAID = (
    (
        (
            "# note: blacklist-nouveau.conf exists, but lsmod still lists nouveau after "
            "reboot; forgot dracut --force"
        ),
        "os: CentOS 7",
    ),
    (
        (
            "# note: nouveau still loads although /etc/modprobe.d/blacklist-nouveau.conf is "
            "correct, update-initramfs -u was missing"
        ),
        "os: Ubuntu 20.04",
    ),
    (
        "# note: nouveau 已经写进黑名单，但是没有重新生成 initrd，重启后还是 nouveau",
        "os: openSUSE",
    ),
)
NEAR = (
    "Kernel driver in use: nouveau",
    "# note: nothing was blacklisted",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize("next_boot", [OLDER, INSIDE, {"initramfs_version": "570.86.15"}])
def test_the_remedy_rebuilds_the_image_of_the_next_kernel(next_boot: dict[str, Any]) -> None:
    finding = only(FAULT, machine(next_boot))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert asked(finding) == [(Verb.INITRAMFS_REBUILD, {"kernel": NEXT})]
