"""
## What it means
The GPU is cut into MIG slices. A CUDA process can use exactly one of them, and it has to be named by its
UUID. This process names a physical GPU, or counts the physical GPUs and then asks CUDA for one that it
does not have; PyTorch ends with `device >= 0 && device < num_gpus INTERNAL ASSERT FAILED`.

## Why it happens
`nvidia-smi -L` lists physical GPUs and slices, NVML counts the physical ones, CUDA enumerates a single
slice. A launcher that was told "2 devices" starts two ranks with `CUDA_VISIBLE_DEVICES=0` and `1`, or
with the UUID of the whole GPU, and no rank names a slice.

## When it is not a fault
Without `CUDA_VISIBLE_DEVICES` CUDA takes the first slice, and a count of one is right. The assertion
alone also appears when `CUDA_VISIBLE_DEVICES` is changed after PyTorch has counted the devices.

## What to do
Take the slice's UUID from `nvidia-smi -L` (it begins with `MIG-`) and set it before Python starts:
`CUDA_VISIBLE_DEVICES=MIG-…`, another one for each process. Data-parallel training over the slices of one
GPU is not supported by NCCL; if the job needs the whole GPU, switch MIG off.

## How safe the fix is
A variable of this shell concerns nobody else. Switching MIG off ends everything on that GPU.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.faults.seen import seen_here
from codeblue.model.facts import Cuda, Environment, Host, Nvml, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "mig-slice-not-selected"
MASK = "CUDA_VISIBLE_DEVICES"
NO_DEVICE = 100


@fault(
    ID,
    title=Text("No MIG slice was selected", "没有选定 MIG 切片"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
        "cuda-visible-devices-names-absent-gpu",
        "invalid-device-ordinal",
    ),
    references=(
        Reference(
            "NVIDIA MIG user guide, CUDA_VISIBLE_DEVICES",
            "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/index.html",
            "2026-11-30",
        ),
        Reference(
            "pytorch/pytorch#130181: devices counted on a MIG system",
            "https://github.com/pytorch/pytorch/issues/130181",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "device < num_gpus",
            r"device >= 0 && device < num_gpus.*INTERNAL ASSERT FAILED",
            Certainty.POSSIBLE,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\bMIG\b|MIG-GPU|\dg\.(?:5gb|10gb|20gb|40gb|12gb|24gb|71gb|80gb|35gb)",
                "is_available.{0,20}False|No CUDA GPUs|device_count|num_gpus|invalid device"
                "|no CUDA-capable|CUDA_VISIBLE_DEVICES|device >= 0|INTERNAL ASSERT"
                "|sees? (?:only )?(?:0|no|two|one)|cannot see|can't see|not see|看不到|不可用"
                "|识别不到|NCCL|Duplicate GPU",
                r"(?:CUDA_VISIBLE_DEVICES|UUID)\b.{0,60}|not (?:set|selected|chosen)|no (?:slice"
                "|instance) (?:was )?(?:selected|chosen|named)|slice|instance|切片|实例|没有?指定"
                "|没有选|没选|没有设|没设置|没有?设置",
            ),
            none=(
                r"migEnabled|strategy|device[- ]plugin|nvidia\.com/mig|gres|reboot|mig-parted"
                "|No MIG devices|No GPU instances|in use by another|persistenced|重启|kubectl"
                r"|count of 1 is|mig\.strategy|no instances|without instances|尚未创建"
                r"|nobody (?:has )?created|not? (?:yet )?created|没有创建|^1$",
                r"^\W*1\W+NVIDIA .{0,40}\bMIG \dg|^\W*NVIDIA .{0,40}\bMIG \dg\.\w+\W*$"
                r"|device_count\(?\)?\W{1,4}1\b",
                r"VISIBLE_DEVICES\W{1,3}MIG-[^,\s]+, ?MIG-",
            ),
        ),
    ),
    remedy=Remedy(
        message("name one slice per process", "为每个进程指定一个切片"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "take a UUID that begins with MIG- from `nvidia-smi -L` "
                    "and start with CUDA_VISIBLE_DEVICES=MIG-…",
                    "从 `nvidia-smi -L` 取一个以 MIG- 开头的 UUID，用 CUDA_VISIBLE_DEVICES=MIG-… 启动",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES",
)
def mig_slice_not_selected(
    nvml: Nvml,
    environment: Environment,
    cuda: Cuda | None = None,
    sightings: Sightings | None = None,
    host: Host | None = None,
) -> Iterator[Hit]:
    sliced = [index for index, gpu in gpus(nvml).items() if gpu.mig and gpu.mig_instances > 0]
    mask = environment.variables.get(MASK, "")
    if not sliced or mask.startswith("MIG-"):
        return
    first = f"nvml.gpus[{sliced[0]}].mig_instances"
    if cuda and _mask_hides_slices(cuda, mask):
        yield Hit(
            subject=f"env:{MASK}",
            variant="whole-gpu-named",
            summary=message(
                "CUDA_VISIBLE_DEVICES={mask} names no MIG slice, and CUDA finds no device",
                "CUDA_VISIBLE_DEVICES={mask} 没有指明 MIG 切片，CUDA 找不到设备",
                mask=mask,
            ),
            because=cite(f"environment.variables[{MASK}]", first, "cuda.init", "cuda.unmasked_count"),
            certainty=Certainty.LIKELY,
        )
    elif seen_here(ID, sightings, host):
        yield Hit(
            subject=f"gpu:{sliced[0]}",
            summary=message(
                "GPU {gpu} is cut into {count} MIG slices, and the job counted whole GPUs",
                "GPU {gpu} 被切成 {count} 个 MIG 切片，而任务按整块 GPU 计数",
                gpu=sliced[0],
                count=nvml.gpus[sliced[0]].mig_instances,
            ),
            because=cite(first),
            certainty=Certainty.LIKELY,
        )


def _mask_hides_slices(cuda: Cuda, mask: str) -> bool:
    return bool(mask) and cuda.init == NO_DEVICE and bool(cuda.unmasked_count)
