"""
## What it means
Copies between two GPUs reach far less than the links between them carry, or far less than copies between
other GPUs of this machine that are joined in the same way. Collectives run at the speed of the slowest
link, so one bad link slows the whole job.

## Why it happens
Some NVLinks of the pair are down or repair errors all the time, the bridge has no proper contact, a PCIe
slot runs with fewer lanes or an older generation, or another job is copying over the same link.

## When it is not a fault
Pairs that are joined in another way (another NUMA node, fewer NVLinks) have other speeds and are compared
with their own kind only. Virtual machines may be given only a part of the links.

## What to do
`nvidia-smi nvlink -s -i N` and `nvidia-smi nvlink -e -i N` for both GPUs; `lspci -vv` for width and speed
of the slot under load; `dmesg` for Xid 74 and AER. Run `codeblue trial links` again when nothing else is at
work. Reset the GPUs or the machine; if the link stays slow, the board or the bridge must be changed.

## How safe the fix is
Looking changes nothing. A reset ends all jobs on the GPUs.
"""

from collections.abc import Iterator
from statistics import median

from codeblue.faults.hardware.server_gpus import nvlink_of_socketed
from codeblue.model.facts import Cuda, Fabric, LinksTrial, LinksTried, Nvml, Peer
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

PEERS = 0.6
"""Part of the median of pairs of the same way. Healthy pairs of one kind differ by a few per cent."""
SHEET = 0.4
"""Part of what the NVLinks of a pair carry; healthy ones reach more than three quarters of it."""
ENOUGH = 4
"""So many other pairs of the same way are needed to say what is usual."""
NVLINK = "nvlink"


@fault(
    "peer-link-slower-than-others",
    title=Text("The link between two GPUs is far too slow", "两块 GPU 之间的链路过慢"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    symptom=True,
    explains=("nccl-slower-than-nvlink",),
    references=(
        Reference(
            "NVIDIA: nvidia-smi, nvlink",
            "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
            "2026-12-01",
        ),
        Reference(
            "CUDA samples: p2pBandwidthLatencyTest",
            "https://github.com/NVIDIA/cuda-samples",
            "2026-12-01",
        ),
    ),
    next_command="nvidia-smi topo -m; nvidia-smi nvlink -s; nvidia-smi nvlink -e; sudo dmesg | "
    "grep -E 'Xid|AER'",
)
def peer_link_slower_than_others(
    links_trial: LinksTrial, cuda: Cuda, nvml: Nvml, fabric: Fabric
) -> Iterator[Hit]:
    for index, row in links_trial.devices.items():
        speeds = _speeds(row)
        ways = {key: way for key in speeds if (way := _way(key, cuda, nvml, fabric))}
        for key, way in ways.items():
            alike = [speeds[other] for other in ways if ways[other] == way and other != key]
            usual = _usual(key, way, alike, cuda)
            if usual is not None and speeds[key] < usual:
                yield Hit(
                    subject=f"link:{key}",
                    kind=None if way.startswith(NVLINK) else Kind.RISK,
                    certainty=Certainty.LIKELY,
                    summary=message(
                        "copies from GPU {one} to GPU {other} reach {speed} GB/s; {usual} GB/s "
                        "and more is usual",
                        "GPU {one} 到 GPU {other} 的拷贝只有 {speed} GB/s；正常应不低于 {usual} GB/s",
                        one=key.split("-")[0],
                        other=key.split("-")[1],
                        speed=f"{speeds[key]:.3g}",
                        usual=f"{usual:.3g}",
                    ),
                    because=cite(f"links_trial[{index}].pairs[{key}].gbs"),
                )


def _speeds(row: LinksTried) -> dict[str, float]:
    """Return the speeds of the pairs that reach each other without main memory."""
    found = row.pairs if was_read(row, "pairs") else {}
    return {
        key: pair.gbs
        for key, pair in found.items()
        if pair.error is None and was_read(pair, "gbs") and was_read(pair, "access") and pair.access
    }


def _way(key: str, cuda: Cuda, nvml: Nvml, fabric: Fabric) -> str | None:
    """Return how two GPUs of one kind are joined; None if it is not known, or they are of two kinds."""
    one, other = key.split("-")
    if (
        one not in cuda.devices
        or other not in cuda.devices
        or cuda.devices[one].name != cuda.devices[other].name
    ):
        return None
    numbers = {gpu.pci: number for number, gpu in nvml.gpus.items() if was_read(gpu, "pci")}
    first, second = (numbers.get(cuda.devices[index].pci or "") for index in (one, other))
    peer: Peer | None = fabric.peers.get(f"{first}-{second}") or fabric.peers.get(f"{second}-{first}")
    if peer is None or first not in fabric.gpus:
        return None
    if was_read(peer, "nvlink") and peer.nvlink == "ok":
        links = fabric.gpus[first].links.values()
        target = cuda.devices[other].pci
        active = [link for link in links if link.active]
        direct = sum(was_read(link, "remote") and link.remote == target for link in active)
        through = sum(was_read(link, "remote_kind") and link.remote_kind == "switch" for link in active)
        return f"{NVLINK} {direct or through}/{len(links)}"
    return f"pcie {peer.level}" if was_read(peer, "level") else None


def _usual(key: str, way: str, alike: list[float], cuda: Cuda) -> float | None:
    """Return the least speed that is still ordinary, GB/s; None if nothing says it."""
    bounds = [PEERS * median(alike)] if len(alike) >= ENOUGH else []
    total = nvlink_of_socketed(cuda.devices[key.split("-", maxsplit=1)[0]].name)
    if way.startswith(NVLINK) and total:
        count, every = map(int, way.split()[1].split("/"))
        if count and every:
            bounds.append(SHEET * total / 2 * count / every)
    return max(bounds, default=None)
