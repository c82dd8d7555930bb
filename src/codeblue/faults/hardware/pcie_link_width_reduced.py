"""
## What it means
A server GPU talks to the machine over fewer PCIe lanes than it could: fewer than its twin in the same
machine, or, on a baseboard (SXM), fewer than all. Copies between host and GPU, and between GPUs without
NVLink, are slower by that factor; computing is not.

## Why it happens
The card or a riser is not seated well, contacts are dirty, a lane is damaged, a retimer or cable has a
fault, or the firmware splits the slot (bifurcation). The link trains with the lanes that work and says
nothing.

## When it is not a fault
A slot may have fewer lanes by design. Laptops and desktops often wire eight, and are not
judged here; nor are virtual machines, which report an invented link. A lower link *speed* is normal
on an idle GPU and is not looked at: the width does not change with the load.

## What to do
Compare with the slot in the server's manual. If the slot has the lanes, reseat card and riser, swap the
card with its twin and see whether the fault follows the card or stays with the slot. Read the kernel
log for PCIe (AER) messages. `lspci -vv -s ADDRESS | grep -E 'LnkCap|LnkSta'` shows both widths.

## How safe the fix is
Reading is safe. Reseating needs the machine switched off.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.server_gpus import is_server_device, is_socketed
from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import Host, Pci, PciFunction
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RESEAT = Remedy(
    message("compare with the slot's lanes, then reseat the card", "核对插槽的通道数，再重新插拔板卡"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "swap the card with its twin: does the narrow link follow the card or stay with the slot?",
                "与同型号的卡对调：变窄的链路是跟着卡走，还是留在插槽上？",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "pcie-link-width-reduced",
    title=Text("A GPU uses fewer PCIe lanes than it should", "GPU 使用的 PCIe 通道数偏少"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "Linux kernel, sysfs PCI: current_link_width and max_link_width",
            "https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-bus-pci",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA DCGM diagnostics, PCIe checks",
            "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/dcgm-diagnostics.html",
            "2026-11-30",
        ),
    ),
    remedy=RESEAT,
    next_command="sudo lspci -vv -d 10de: | grep -E '^[0-9a-f]|LnkCap:|LnkSta:'",
)
def pcie_link_width_reduced(host: Host, pci: Pci) -> Iterator[Hit]:
    if host.hypervisor is not None or host.wsl:
        return
    boards = {a: pci.functions[a] for a in pci.nvidia_gpus if a in pci.functions}
    boards = {a: board for a, board in boards.items() if is_server_device(board.device)}
    for address, board in boards.items():
        width, best = board.link_width, expected(board, boards)
        if width and width < best:
            yield Hit(
                subject=f"gpu:{slot(address)}",
                certainty=Certainty.POSSIBLE,
                summary=message(
                    "the GPU at {gpu} runs on {width} PCIe lanes where {best} are expected",
                    "位于 {gpu} 的 GPU 只用了 {width} 条 PCIe 通道，应为 {best} 条",
                    gpu=slot(address),
                    width=width,
                    best=best,
                ),
                because=cite(f"pci[{address}].link_width", f"pci[{address}].link_width_max"),
            )


def expected(board: PciFunction, boards: dict[str, PciFunction]) -> int:
    """Return the lanes this board should have: all on a baseboard, in a slot those of its widest twin."""
    most = board.link_width_max or 0
    if is_socketed(board.device):
        return most
    return min(most, max(twin.link_width or 0 for twin in boards.values() if twin.device == board.device))
