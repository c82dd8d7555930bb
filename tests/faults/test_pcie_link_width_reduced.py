"""pcie-link-width-reduced"""

from typing import Any

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording

FAULT = "pcie-link-width-reduced"
METAL = {"hypervisor": None}
H200, A100_PCIE, L4, RTX_4090 = "2335", "20b5", "27b8", "2684"


def machine(device: str, *widths: int | None, **host: Any) -> Snapshot:
    functions = {
        f"0000:{bus:02x}:00.0": {
            "vendor": "10de",
            "device": device,
            "pci_class": "030200",
            "driver": "nvidia",
            "link_width": width,
            "link_width_max": 16,
            "link_speed": "2.5 GT/s PCIe",
            "link_speed_max": "32.0 GT/s PCIe",
            "config_readable": True,
        }
        for bus, width in enumerate(widths, start=0x10)
    }
    pci = {"state": "read", "functions": functions, "nvidia_gpus": list(functions), "nvswitches": 0}
    return recording("h200-healthy", host=METAL | host, pci=pci)


def test_fires_as_a_risk_on_a_baseboard_gpu_with_half_its_lanes() -> None:
    [finding] = judge(FAULT, machine(H200, 8)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.POSSIBLE)
    assert finding.subject == "gpu:0000:10:00"
    assert finding.evidence[0].value == 8


def test_fires_on_the_card_that_has_fewer_lanes_than_its_twin() -> None:
    [finding] = judge(FAULT, machine(L4, 16, 4, 16)).findings

    assert finding.subject == "gpu:0000:11:00"


def test_clear_in_a_virtual_machine_and_in_wsl() -> None:
    assert judge(FAULT, machine(H200, 8, hypervisor="kvm")).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(H200, 8, wsl=True)).outcome is Outcome.CLEAR


def test_clear_on_idle_gpus_with_a_low_speed() -> None:
    assert judge(FAULT, machine(H200, 16, 16)).outcome is Outcome.CLEAR


def test_clear_on_cards_in_short_slots_desktops_and_laptops() -> None:
    assert judge(FAULT, machine(L4, 8, 8)).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(A100_PCIE, 8)).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(RTX_4090, 8)).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(RTX_4090, 16, 4)).outcome is Outcome.CLEAR


def test_clear_where_the_kernel_knows_no_width() -> None:
    assert judge(FAULT, machine(H200, None)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_bus_was_not_read() -> None:
    snapshot = recording("h200-healthy", host=METAL, pci={"state": "error"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
