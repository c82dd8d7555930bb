"""vm-mmio-window-too-small"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "vm-mmio-window-too-small"
REGION = "NVRM: BAR0 is 0M @ 0x0 (PCI:0000:00:06.0)"


def machine(driver: str | None, hypervisor: str | None) -> Snapshot:
    pci: dict[str, Any] = {"functions": {"0000:00:06.0": {"driver": driver}}}
    log = {"lines": [{"kind": "nvrm", "seconds": 7.0, "text": REGION}]}
    return recording("h200-healthy", host={"hypervisor": hypervisor}, pci=pci, kernel_log=log)


def test_fires_in_a_virtual_machine_whose_gpu_was_refused() -> None:
    [finding] = judge(FAULT, machine(None, "kvm")).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:00:06", Certainty.LIKELY)
    assert ("host.hypervisor", "kvm") in [(e.path, e.value) for e in finding.evidence]


def test_fires_on_text_and_names_the_command_that_decides() -> None:
    [finding] = judge(FAULT, text("               NVRM: BAR0 is 0M @ 0x0 (PCI:0000:07:00.0)")).findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.next_command is not None and "systemd-detect-virt" in finding.next_command


def test_clear_on_bare_metal() -> None:
    assert judge(FAULT, machine(None, None)).outcome is Outcome.CLEAR


def test_clear_when_the_gpu_works_in_the_guest() -> None:
    assert judge(FAULT, machine("nvidia", "kvm")).outcome is Outcome.CLEAR


def test_clear_on_regions_that_have_a_size() -> None:
    assert judge(FAULT, text("NVRM: BAR1 is 256M @ 0x0 (PCI:0000:07:00.0)")).findings == ()


def test_fires_without_the_bus_when_the_log_says_that_the_card_did_not_start() -> None:
    failed = "NVRM: GPU 0000:00:06.0: RmInitAdapter failed! (0x22:0x56:884)"
    rows = [{"kind": "nvrm", "seconds": 7.0, "text": line} for line in (REGION, failed)]
    snapshot = recording("h200-healthy", pci={"state": "error"}, kernel_log={"lines": rows})

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


def test_claims_nothing_when_the_kernel_log_is_denied() -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"})).outcome is Outcome.SKIPPED


SAID = (
    (
        "NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:",
        "NVRM: BAR1 is 0M @ 0x0 (PCI:0000:01:00.0)",
        "gpu: 4x A100",
        "os: Ubuntu guest on Proxmox",
    ),
    (
        "NVRM: RmInitAdapter failed!",
        (
            "# note: QEMU with eight cards passed through; three of eight are usable; 64-bit "
            "MMIO aperture of OVMF at default"
        ),
        "gpu: 8x H100",
        "os: Ubuntu 22.04 (KVM guest)",
    ),
    (("# note: ESXi 虚拟机直通 A100，驱动报 BAR1 is 0M，nvidia-smi 看不到卡，加大 64bitMMIOSizeGB 后正常"),),
)
NEAR = (
    "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0xffff:1290)",
    "# note: bare metal, one card",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
