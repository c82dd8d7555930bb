"""grub-cmdline-typo"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge, recording, text
from tests.faults.next_boot import machine
from tests.faults.remedies import asked, only

FAULT = "grub-cmdline-typo"
TYPO = "modprob.blacklist=nouveau"
HELD = {"functions": {"0000:00:06.0": {"driver": "nouveau"}}}


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ('GRUB_CMDLINE_LINUX="quiet modprob.blacklist=nouveau"', Certainty.LIKELY),
        ("BOOT_IMAGE=/vmlinuz root=/dev/sda1 nouveau.modset=0", Certainty.LIKELY),
    ],
)
def test_fires_on_a_name_that_nobody_reads(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ('GRUB_CMDLINE_LINUX="rd.driver.blacklist=nouveau modprobe.blacklist=nouveau nouveau.modeset=0"'),
        "kernel command line: nvidia-drm.modeset=1 module_blacklist=nouveau",
    ],
)
def test_clear_on_the_right_names(line: str) -> None:
    assert not judge(FAULT, text(line)).findings


def test_fires_when_this_boot_had_it_and_nouveau_holds_the_gpu() -> None:
    [finding] = judge(
        FAULT, recording("h200-healthy", host={"cmdline": ["iommu=pt", TYPO]}, pci=HELD)
    ).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.evidence[0].path == "host.cmdline[1]"


def test_fires_as_a_risk_when_the_next_boot_will_have_it() -> None:
    snapshot = machine({"parameters": [TYPO], "nouveau_disabled": {}})

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.kind, finding.variant) == (Kind.RISK, "next-boot")


@pytest.mark.parametrize(
    "next_boot",
    [
        {"parameters": [TYPO]},
        {"parameters": [TYPO, "nouveau.modeset=0"], "nouveau_disabled": {}},
        {"parameters": [TYPO], "nouveau_disabled": {}, "nouveau": False},
        {"parameters": ["module.blacklist=foo"], "nouveau_disabled": {}},
    ],
)
def test_clear_when_it_changes_nothing(next_boot: dict[str, Any]) -> None:
    assert judge(FAULT, machine(next_boot, host={"cmdline": [TYPO]})).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_parameters_of_the_next_boot_are_unread() -> None:
    verdict = judge(FAULT, machine({"parameters": ..., "nouveau_disabled": {}}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "next_boot.parameters: not-attempted")


def test_claims_nothing_when_this_boot_is_unread() -> None:
    assert judge(FAULT, recording("h200-healthy", host={"cmdline": ...})).outcome is Outcome.SKIPPED


SAID = (
    (
        ('GRUB_CMDLINE_LINUX="crashkernel=auto rd.driver.blacklist=nouveau modporbe.blacklist=nouveau"'),
        "# note: nouveau is still loaded",
        "os: Rocky 9",
    ),
    (
        "$ cat /proc/cmdline",
        "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet nouveau.modset=0",
        "# note: nouveau keeps loading",
    ),
    (
        "# note: nouveau 一直加载，后来发现内核参数里 modprobe.blacklist 拼错了",
        "os: AlmaLinux 9",
    ),
)
NEAR = ("BOOT_IMAGE=/vmlinuz ro quiet modprobe.blacklist=nouveau nouveau.modeset=0",)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_adds_the_parameter_that_is_read() -> None:
    held = recording("h200-healthy", host={"cmdline": [TYPO]}, pci=HELD)
    for snapshot in (held, machine({"parameters": [TYPO], "nouveau_disabled": {}})):
        finding = only(FAULT, snapshot)

        assert finding.remedy is not None
        assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
        assert asked(finding) == [(Verb.KERNEL_PARAMETER, {"parameter": "modprobe.blacklist=nouveau"})]


def test_with_the_added_parameter_the_fault_is_gone() -> None:
    mended = machine({"parameters": [TYPO, "modprobe.blacklist=nouveau"], "nouveau_disabled": {}})

    assert judge(FAULT, mended).outcome is Outcome.CLEAR
