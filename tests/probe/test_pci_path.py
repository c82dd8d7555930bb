"""pci: ports above the GPUs, error counters, IOMMU and access control."""

import struct
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import section, tree
from tests.probe.standins import ENDS, PRESENT

GPU, PORT, ROOT = "0000:41:00.0", "0000:40:01.0", "0000:00:03.1"
DEVICES = "/sys/bus/pci/devices"
WAY = f"/sys/devices/pci0000:00/{ROOT}/{PORT}"
COUNTERS = "RxErr 0\nBadTLP 3\nBadDLLP 0\nRollover 0\nTOTAL_ERR_COR 3\n"


def space(*capabilities: tuple[int, int, int], size: int = 4096) -> bytes:
    """Return configuration space with (id, place of the next, control) one after the other from 0x100."""
    content = bytearray(size)
    place = 0x100
    for number, following, control in capabilities:
        struct.pack_into("<I", content, place, number | 1 << 16 | following << 20)
        struct.pack_into("<H", content, place + 6, control)
        place = following
    return bytes(content)


def machine(root: Path, config: bytes | None = None) -> Path:
    """Write one GPU behind a switch port and a root port, as /sys links them."""
    files: dict[str, str | bytes] = {
        f"{DEVICES}/{GPU}": f"->../../../devices/pci0000:00/{ROOT}/{PORT}/{GPU}",
        f"{DEVICES}/{PORT}": f"->../../../devices/pci0000:00/{ROOT}/{PORT}",
        f"{DEVICES}/{ROOT}": f"->../../../devices/pci0000:00/{ROOT}",
        f"{WAY}/{GPU}/class": "0x030200\n",
        f"{WAY}/{GPU}/vendor": "0x10de\n",
        f"{WAY}/{GPU}/device": "0x2335\n",
        f"{WAY}/{GPU}/config": b"\xde\x10\x35\x23",
        f"{WAY}/{GPU}/aer_dev_correctable": COUNTERS,
        f"{WAY}/{GPU}/aer_dev_fatal": "Undefined 0\nDLP 1\nTOTAL_ERR_FATAL 1\n",
        f"{WAY}/{GPU}/iommu_group": "->../../../../../kernel/iommu_groups/7",
        "/sys/kernel/iommu_groups/7/type": "DMA-FQ\n",
        f"{WAY}/config": config or space((0x1, 0x148, 0), (0xD, 0x200, 0x1D), (0x19, 0, 0)),
        f"{WAY}/class": "0x060400\n",
        f"{WAY}/vendor": "0x1000\n",
        f"/sys/devices/pci0000:00/{ROOT}/config": bytes(64),
        f"/sys/devices/pci0000:00/{ROOT}/aer_dev_correctable": "RxErr 0\nTOTAL_ERR_COR 0\n",
    }
    return tree(root, files)


@pytest.mark.parametrize("version", ENDS)
def test_the_way_from_a_gpu_to_the_processor(version: str, tmp_path: Path) -> None:
    pci = section(facts.Pci, machine(tmp_path), python=PRESENT.get(version))

    gpu = pci.functions[GPU]
    assert (gpu.upstream, gpu.iommu) == ([PORT, ROOT], "DMA-FQ")
    assert gpu.errors == {"correctable BadTLP": 3, "fatal DLP": 1}
    assert list(pci.ports) == [ROOT, PORT]
    assert pci.ports[PORT].errors is None
    assert pci.ports[PORT].access_control == ["source-validation", "request-redirect", "completion-redirect"]


def test_counters_that_are_zero_are_not_missing_ones(tmp_path: Path) -> None:
    assert section(facts.Pci, machine(tmp_path)).ports[ROOT].errors == {}


def test_the_first_64_bytes_do_not_tell_access_control(tmp_path: Path) -> None:
    port = section(facts.Pci, machine(tmp_path)).ports[ROOT]

    with pytest.raises(NotRead, match="access_control: denied"):
        _ = port.access_control


@pytest.mark.parametrize(
    "config",
    [
        space((0x1, 0x148, 0), (0x19, 0, 0)),
        space((0x1, 0x100, 0)),
        space((0, 0, 0)),
        space((0x1, 0xFFC, 0)),
        bytes(256),
    ],
    ids=["none", "a ring", "empty", "out of bounds", "conventional"],
)
def test_a_port_without_access_control(config: bytes, tmp_path: Path) -> None:
    root = machine(tmp_path, config)

    assert section(facts.Pci, root).ports[PORT].access_control is None


def test_without_an_iommu_there_is_no_type(tmp_path: Path) -> None:
    root = machine(tmp_path)
    (root / f"{WAY[1:]}/{GPU}/iommu_group").unlink()

    assert section(facts.Pci, root).functions[GPU].iommu is None


def test_an_older_kernel_does_not_tell_the_type(tmp_path: Path) -> None:
    root = machine(tmp_path)
    (root / "sys/kernel/iommu_groups/7/type").unlink()

    with pytest.raises(NotRead):
        _ = section(facts.Pci, root).functions[GPU].iommu
