"""
## What it means
Another program was at work on this GPU while it was measured. Both get a part of its time, its power and its
memory bandwidth, so neither runs at full speed.

## Why it happens
Two jobs were given the same GPU, a notebook or a service was left running, a monitoring or mining program
uses it, or several containers share it without a scheduler that knows.

## When it is not a fault
Sharing on purpose (MPS, time slicing, several inference servers) costs speed and is accepted. A desktop's
display server takes little. It becomes a cause only where the GPU was found too slow.

## What to do
`nvidia-smi` on the host shows the programs; inside a container their numbers are those of the host. End
what was forgotten, give the job another GPU, or measure when the GPU is idle: without `--busy` a trial
leaves such a GPU alone.

## How safe the fix is
Looking changes nothing. Ask the owner before a program is ended.
"""

from collections.abc import Iterator

from codeblue.model.facts import Cuda, GpuTrial, Nvml
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "gpu-shared-with-other-process",
    title=Text("Another program is at work on the measured GPU", "被测 GPU 上有其他程序在运行"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    explains=("gpu-slower-than-its-kind", "gpu-slower-than-before"),
    references=(
        Reference(
            "nvidia-smi: processes",
            "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
            "2026-12-01",
        ),
    ),
    next_command="nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv",
)
def gpu_shared_with_other_process(
    gpu_trial: GpuTrial | None, cuda: Cuda | None, nvml: Nvml | None
) -> Iterator[Hit]:
    tried = gpu_trial.devices if gpu_trial else {}
    devices = {index: cuda.devices[index] for index in tried if cuda and index in cuda.devices}
    for index, device in devices.items():
        for number, gpu in nvml.gpus.items() if nvml else ():
            if device.pci and gpu.pci == device.pci and gpu.processes:
                yield Hit(
                    subject=f"gpu:{index}",
                    certainty=Certainty.LIKELY,
                    summary=message(
                        "{count} other program(s) held memory on GPU {gpu} when the trial began",
                        "测试开始时 GPU {gpu} 上有 {count} 个其他程序占用显存",
                        gpu=index,
                        count=len(gpu.processes),
                    ),
                    because=cite(f"nvml[{number}].processes"),
                )
