"""
## What it means
A trial multiplied large matrices on this GPU, and it stayed far below what its kind of GPU reaches, or far
below its neighbours of the same kind that did the same at the same moment. Nothing fails; every step of
training takes longer, and in a job over several GPUs all the others wait for this one.

## Why it happens
The GPU runs at lowered clocks (heat, a lowered power limit, a power brake of the server), another program
is at work on it, the memory or the board is sick, or a variable makes the libraries compute otherwise.

## When it is not a fault
The numbers of the data sheet are never reached: an H200 at its power limit reaches two thirds of them with
random data. That is why only less than 45 % is judged, and less than 30 % on small boards (T4, L4), which
always run at their power limit. MIG slices, laptops and small trials are not judged. Among
neighbours a difference of 15 % counts.

## What to do
Look at the clocks and at the reasons for lowering them that the trial has seen, and run it again with the
GPU idle: `codeblue trial gpu --gpus N`. A GPU that stays slow alone is compared with its neighbours: swap
it with one of them, and see whether the slowness moves with the board or stays with the slot.

## How safe the fix is
The trial changes no settings. A reset or a swap of boards needs the GPU to be drained first.
"""

from collections.abc import Iterator
from statistics import median

from codeblue.faults.hardware.trial_devices import alike, judged
from codeblue.knowledge import ceilings
from codeblue.model.facts import Cuda, GpuTrial, GpuTried, Nvml
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import NotRead, was_read
from codeblue.model.text import Text, message

SHARE, CAPPED_SHARE = 0.45, 0.30
"""Parts of the data sheet. Measured on a healthy H200 that kept to its 700 W: bf16 0.67, fp16 0.64,
tf32 0.70, fp32 0.76, fp8 0.59. Boards of 70 W reach half of that with dense random data."""
SMALL_BOARD = 160
"""Watts up to which a board cannot keep up its clocks under such a load."""
PEERS = 0.85
"""Part of the median of GPUs of one kind. Healthy ones differ by a few percent."""


@fault(
    "gpu-slower-than-its-kind",
    title=Text("A GPU computes far slower than its kind", "GPU 的计算速度远低于同型号水平"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    symptom=True,
    explains=("straggler-rank",),
    references=(
        Reference(
            "NVML: clocks event reasons",
            "https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html",
            "2026-12-01",
        ),
    ),
    next_command="nvidia-smi -q -d PERFORMANCE,CLOCK,POWER,TEMPERATURE",
)
def gpu_slower_than_its_kind(
    gpu_trial: GpuTrial | None, cuda: Cuda, *, nvml: Nvml | None = None
) -> Iterator[Hit]:
    devices = judged(gpu_trial, cuda, nvml)
    for index, device in devices.items():
        slow = _below_sheet(index, device, cuda) or _below_peers(index, device, devices, cuda)
        if slow:
            yield slow


def _below_sheet(index: str, device: GpuTried, cuda: Cuda) -> Hit | None:
    floor = CAPPED_SHARE if _small_board(device) else SHARE
    name = cuda.devices[index].name
    for kind, product in device.products.items():
        ceiling = ceilings.tflops(name, kind) if product.error is None else None
        if ceiling and product.tflops < floor * ceiling:
            return Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.LIKELY,
                summary=message(
                    "GPU {gpu} ({name}) reaches {speed} TFLOP/s with {kind}, {share} % of its data sheet",
                    "GPU {gpu}（{name}）的 {kind} 只有 {speed} TFLOP/s，为标称值的 {share} %",
                    gpu=index,
                    name=name,
                    speed=f"{product.tflops:g}",
                    kind=kind,
                    share=round(100 * product.tflops / ceiling),
                ),
                because=cite(*_seen(index, kind, device)),
            )
    return None


def _below_peers(index: str, device: GpuTried, devices: dict[str, GpuTried], cuda: Cuda) -> Hit | None:
    peers = alike(index, devices, cuda)
    for kind, product in device.products.items():
        others = [
            p.products[kind].tflops for p in peers if kind in p.products and p.products[kind].error is None
        ]
        if product.error is None and others and product.tflops < PEERS * median(others):
            return Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.LIKELY,
                summary=message(
                    "GPU {gpu} reaches {speed} TFLOP/s with {kind}, {count} neighbours of its kind {others}",
                    "GPU {gpu} 的 {kind} 为 {speed} TFLOP/s，而 {count} 块同型号 GPU 为 {others}",
                    gpu=index,
                    speed=f"{product.tflops:g}",
                    kind=kind,
                    count=len(others),
                    others=f"{median(others):g}",
                ),
                because=cite(*_seen(index, kind, device)),
            )
    return None


def _small_board(device: GpuTried) -> bool:
    try:
        return device.load.power_default_watts <= SMALL_BOARD
    except NotRead:
        return False


def _seen(index: str, kind: str, device: GpuTried) -> Iterator[str]:
    yield f"gpu_trial[{index}].products[{kind}].tflops"
    for field in ("clock_mhz", "clock_max_mhz", "throttle"):
        if was_read(device, "load") and was_read(device.load, field):
            yield f"gpu_trial[{index}].load.{field}"
