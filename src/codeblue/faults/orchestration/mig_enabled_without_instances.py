"""
## What it means
MIG mode is on, but no GPU has a single instance. In this state a GPU offers nothing: CUDA counts no
devices (error 100), a Kubernetes node offers no `nvidia.com/gpu` and no `nvidia.com/mig-…`, and
`nvidia-smi` says "No MIG devices found" under a GPU that looks idle and well.

## Why it happens
MIG mode is stored in the GPU and survives a reboot; the instances are not and have to be created again by
a service, a script or the operator's MIG manager. Or somebody switched the mode on and stopped there, or
a MIG manager failed half-way.

## When it is not a fault
While a MIG manager is at work the state is passing. A GPU without instances beside others that work takes
no part: this is reported only when CUDA finds nothing at all.

## What to do
Decide how the GPU is to be used. Sliced: `nvidia-smi mig -lgip` lists the profiles, `sudo nvidia-smi mig
-cgi 9,9 -C` creates two instances with compute instances; let `nvidia-mig-parted` or the operator do it
at every boot. Whole: `sudo nvidia-smi -i N -mig 0`. Restart the Kubernetes device plugin afterwards,
since it looks only once.

## How safe the fix is
The GPU has no instances, so nothing runs on it. Switching the mode resets that GPU and fails while a
monitor holds it; it is undone by switching back.
"""

from collections.abc import Iterator

from codeblue.faults.device_access.access import unmasked_init
from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Cuda, Environment, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NO_DEVICE = 100


@fault(
    "mig-enabled-without-instances",
    title=Text("MIG is on, but there are no MIG instances", "MIG 已启用，但没有任何 MIG 实例"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA MIG user guide",
            "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/index.html",
            "2026-11-30",
        ),
        Reference("nvidia-mig-parted", "https://github.com/NVIDIA/mig-parted", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                r"No MIG devices found|no (?:mig |gpu |compute )?instances|没有(?:创建|"
                r"任何)?.{0,6}实例|without (?:any )?instances|instances? (?:was|were|has|"
                r"have)? ?(?:not|never) (?:been )?created|nvidia-smi mig -lgi|-lgip?\b.*none|"
                r"nobody.{0,20}instances|no one.{0,20}instances|instances? (?:exist|left)|无实例|"
                r"strategy.{0,4}none|MIG_STRATEGY.{0,4}none",
                r"\bMIG\b",
                r"is_available\(\)\W*False|^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|"
                r"NVIDIA)[- ]?(?:capable )?(?:gpu|device)s?\b|Found no NVIDIA driver|(?:CUDA|"
                r"GPUs?) (?:is |are )?(?:not |un)(?:available|used|found|detected|recogni[sz]ed|"
                r"visible|usable)|(?:not|n't|never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |"
                r"my )?(?:GPU|CUDA)|cuda(?:GetDeviceCount|_init)|CUDA initialization|"
                r"falls? back to (?:the )?CPU|(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|"
                r"显卡).{0,8}(?:用不了|不可用|检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|"
                r"识别不到|找不到|没有用上|不认).{0,6}(?:GPU|CUDA|显卡)|nvidia\.com/gpu:? *0|"
                r"allocatable|insufficient|pending|error|fail|cannot|can't|unable|not found|crash|"
                r"abort|missing|unavailable|\bFalse\b|invalid|undefined|no such|segfault|segmentation|"
                r"not work|n't work|报错|错误|失败|无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"reboot|重启|power cycle",
                r"mixed",
                r"restart(?:ed)? the (?:device )?plugin",
                r"slurm|gres",
            ),
        ),
    ),
    signatures=(Signature("No MIG devices found", r"No MIG devices found", Certainty.POSSIBLE),),
    remedy=Remedy(
        message("create instances, or switch MIG off", "创建实例，或关闭 MIG"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "sliced: sudo nvidia-smi mig -cgi PROFILES -C (list them with -lgip); "
                    "whole: sudo nvidia-smi -mig 0",
                    "切片使用：sudo nvidia-smi mig -cgi PROFILES -C（用 -lgip 列出配置）；"
                    "整卡使用：sudo nvidia-smi -mig 0",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="nvidia-smi -L; nvidia-smi mig -lgi",
)
def mig_enabled_without_instances(
    nvml: Nvml, environment: Environment, cuda: Cuda | None = None
) -> Iterator[Hit]:
    answering = gpus(nvml)
    empty = [index for index, gpu in answering.items() if gpu.mig and gpu.mig_instances == 0]
    if not empty or len(empty) != len(answering):
        return
    if cuda and unmasked_init(cuda, environment) != NO_DEVICE:
        return
    for index in empty:
        yield Hit(
            subject=f"gpu:{index}",
            certainty=Certainty.CERTAIN if cuda else Certainty.LIKELY,
            summary=message(
                "GPU {gpu} has MIG on and no instance: CUDA finds no device",
                "GPU {gpu} 启用了 MIG 却没有实例，CUDA 找不到设备",
                gpu=index,
            ),
            because=cite(
                f"nvml.gpus[{index}].mig",
                f"nvml.gpus[{index}].mig_instances",
                *(("cuda.init",) if cuda else ()),
            ),
        )
