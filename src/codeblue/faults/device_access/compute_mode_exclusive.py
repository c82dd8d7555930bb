"""
## What it means
The GPU is in a compute mode that limits who may use it. In `Exclusive Process` one process may hold a
context, every other one gets error 46, "all CUDA-capable devices are busy or unavailable". In
`Prohibited` nobody may. `nvidia-smi` shows the mode in its last column as "E. Process" or "Prohibited".

## Why it happens
An administrator, a Slurm prologue or MPS set the mode on purpose, or it is left over from them. Then a
second program comes: a notebook that keeps its kernel, a zombie of the last run, two ranks on one GPU, a
data loader worker that touches CUDA, a framework that opens a context on every GPU.

## When it is not a fault
Exclusive mode with one job on the GPU is a normal policy on clusters, and the recommended one for MPS,
whose server is then the one process. It is trouble only when somebody is turned away; before that it is a
risk at most. Error 46 in default mode has another reason: a GPU in a bad state (look for Xid lines), or a
MIG or MPS limit.

## What to do
See who is there: `nvidia-smi --query-compute-apps=pid,name --format=csv`. End your own left-over process,
or take another GPU. If nobody wants the policy, as root `nvidia-smi -i N -c DEFAULT`; the mode does not
survive a reboot, so find the script that sets it.

## How safe the fix is
Changing the mode touches no running process and is undone by setting it back. On a shared machine ask
first: sharing may be forbidden for a reason.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.faults.seen import seen_here
from codeblue.model.facts import Gpu, Host, Nvml, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "compute-mode-exclusive"
MPS = "nvidia-cuda-mps"
"""How the name of the MPS server begins; the kernel keeps 15 characters of a name."""


def back_to_default(index: str) -> Remedy:
    """Say how the mode is set back."""
    return Remedy(
        message("set GPU {gpu} to the default compute mode", "把 GPU {gpu} 设回默认计算模式", gpu=index),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "if nobody needs the policy: sudo nvidia-smi -i {gpu} -c DEFAULT; "
                    "else end the process that holds the GPU or use another GPU",
                    "如果没有人需要该策略：sudo nvidia-smi -i {gpu} -c DEFAULT；"
                    "否则结束占用它的进程，或换一块 GPU",
                    gpu=index,
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )


@fault(
    ID,
    title=Text("The GPU's compute mode turns processes away", "GPU 的计算模式拒绝了进程"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "gpu-kernel-failed",
        "torch-cuda-unavailable",
        "cuda-init-failed",
    ),
    references=(
        Reference(
            "CUDA C++ programming guide: compute modes",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#compute-modes",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA Multi-Process Service, exclusive process mode",
            "https://docs.nvidia.com/deploy/mps/index.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "CUDA-capable device",
            r"CUDA-capable device(s are|\(s\) is/are) busy or unavailable",
            Certainty.LIKELY,
        ),
        Signature("cudaErrorDevicesUnavailable", "cudaErrorDevicesUnavailable", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"exclusive[-_ ]?(?:process|mode|thread|compute)|\bE\. Process|\bE\. Thread"
                r"|compute[- _]?mode.{0,20}(?:exclusive|prohibited|3\b)|Prohibited|EXCLUSIVE_PROCESS"
                "|独占(?:模式|进程)|计算模式",
                "busy|unavailable|second|another|refus|fail|error|cannot|denied|only one"
                "|out of memory|第二个|失败|报错|不可用|NVML|create.{0,20}context",
            ),
            none=(r"ranks?\b.{0,40}GPU 0|DDP\b|torchrun|world size|two ranks|every rank",),
        ),
    ),
    next_command="nvidia-smi --query-gpu=index,compute_mode --format=csv; nvidia-smi pmon -c 1",
)
def compute_mode_exclusive(
    nvml: Nvml, sightings: Sightings | None = None, host: Host | None = None
) -> Iterator[Hit]:
    turned_away = seen_here(ID, sightings, host)
    limited = [(index, gpu) for index, gpu in gpus(nvml).items() if gpu.compute_mode != "default"]
    for index, gpu in limited:
        if gpu.compute_mode == "prohibited":
            yield _prohibited(index)
        else:
            yield from _exclusive(index, gpu, turned_away)


def _prohibited(index: str) -> Hit:
    return Hit(
        subject=f"gpu:{index}",
        variant="prohibited",
        summary=message(
            "GPU {gpu} is in compute mode prohibited: no program may use it",
            "GPU {gpu} 处于禁止（Prohibited）计算模式：任何程序都不能使用",
            gpu=index,
        ),
        because=cite(f"nvml.gpus[{index}].compute_mode"),
        remedy=back_to_default(index),
    )


def _exclusive(index: str, gpu: Gpu, turned_away: bool) -> Iterator[Hit]:
    holders = [p.pid for p in gpu.processes if not (p.name or "").startswith(MPS)]
    if not holders and not turned_away:
        return
    mode = f"nvml.gpus[{index}].compute_mode"
    cited = cite(mode, f"nvml.gpus[{index}].processes") if holders else cite(mode)
    yield Hit(
        subject=f"gpu:{index}",
        summary=message(
            "GPU {gpu} is in compute mode {mode}, held by {holder}: a second process is refused",
            "GPU {gpu} 处于 {mode} 计算模式，占用者：{holder}；第二个进程会被拒绝",
            gpu=index,
            mode=gpu.compute_mode,
            holder=f"pid {holders[0]}" if holders else "?",
        ),
        because=cited,
        kind=Kind.TROUBLE if turned_away else Kind.RISK,
        severity=Severity.ERROR if turned_away else Severity.NOTE,
        certainty=Certainty.CERTAIN if turned_away and holders else Certainty.LIKELY,
        remedy=back_to_default(index),
    )
