"""bios-above-4g-decoding-disabled"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "bios-above-4g-decoding-disabled"
REGION = "NVRM: BAR{} is 0M @ 0x0 (PCI:0000:00:06.0)"


def machine(*lines: str, driver: str | None = None, hypervisor: str | None = None) -> Snapshot:
    rows = [{"kind": "nvrm", "seconds": 7.0, "text": line} for line in lines]
    pci: dict[str, Any] = {"functions": {"0000:00:06.0": {"driver": driver}}}
    return recording("h200-healthy", host={"hypervisor": hypervisor}, pci=pci, kernel_log={"lines": rows})


def test_fires_on_bare_metal_when_the_card_was_refused() -> None:
    [finding] = judge(FAULT, machine("NVRM: something else", REGION.format(1))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:00:06", Certainty.LIKELY)
    assert finding.evidence[0].path == "kernel_log.lines[1].text"


def test_fires_once_per_gpu_and_on_records_of_two_lines() -> None:
    record = "NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:\\x0a" + REGION.format(0)

    assert len(judge(FAULT, machine(record, REGION.format(1))).findings) == 1


def test_fires_when_the_driver_holds_the_card_but_cannot_start_it() -> None:
    failed = "NVRM: GPU 0000:00:06.0: RmInitAdapter failed! (0x22:0x56:884)"

    assert judge(FAULT, machine(REGION.format(1), failed, driver="nvidia")).outcome is Outcome.FIRED


def test_fires_on_text_most_likely_for_a_large_region() -> None:
    [small] = judge(FAULT, text("[9.0]                NVRM: BAR0 is 0M @ 0x0 (PCI:0000:07:00.0)")).findings
    [large] = judge(FAULT, text("kernel: NVRM: BAR1 is 0M @ 0x0 (PCI:0000:07:00.0)")).findings

    assert (small.certainty, large.certainty) == (Certainty.POSSIBLE, Certainty.LIKELY)


def test_clear_in_a_virtual_machine() -> None:
    assert judge(FAULT, machine(REGION.format(1), hypervisor="kvm")).outcome is Outcome.CLEAR


def test_clear_when_the_driver_works_or_the_gpu_is_handed_out() -> None:
    for driver in ("nvidia", "vfio-pci"):
        assert judge(FAULT, machine(REGION.format(2), driver=driver)).outcome is Outcome.CLEAR


def test_fires_without_the_bus_when_the_log_says_that_the_card_did_not_start() -> None:
    failed = "NVRM: GPU 0000:00:06.0: RmInitAdapter failed! (0x22:0x56:884)"
    rows = [{"kind": "nvrm", "seconds": 7.0, "text": line} for line in (REGION.format(1), failed)]
    snapshot = recording(
        "h200-healthy", host={"hypervisor": None}, pci={"state": "error"}, kernel_log={"lines": rows}
    )

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


def test_claims_nothing_when_the_kernel_log_is_denied() -> None:
    snapshot = recording("h200-healthy", host={"hypervisor": None}, kernel_log={"state": "denied"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:",
        "NVRM: BAR1 is 0M @ 0x0 (PCI:0000:03:00.0)",
        "nvidia: probe of 0000:03:00.0 failed with error -1",
        "# note: old workstation board, added the card yesterday",
        "gpu: Tesla P40",
        "os: Ubuntu 22.04",
    ),
    (
        "$ nvidia-smi",
        "No devices were found",
        "# note: turning on Above 4G Decoding in the BIOS setup made the card show up",
        "gpu: Tesla M40",
    ),
    (
        (
            "# note: 主板 BIOS 里没有开 Above 4G Decoding，插了第四张卡以后 nvidia-smi "
            "只能看到三张，有一张 GPU 识别不到"
        ),
        "gpu: RTX 3090",
    ),
)
NEAR = (
    "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x25:0xffff:1480)",
    "# note: a laptop, the BIOS is up to date",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
