"""
## What it means
NVML, the management library under `nvidia-smi`, DCGM, the Kubernetes device plugin and the container
toolkit, could be loaded but its first call failed although a GPU is on the PCI bus. CUDA uses another
library and may still work.

## Why it happens
This is a symptom; the return code points at the layer. 9 the kernel module is not loaded, 18 library and
kernel module are of different versions, 4 no permission, 12 library not found, 15 a GPU is lost, 16 a
reset is wanted, 17 the operating system refused, 999 unknown, which is very often the device node
`/dev/nvidiactl` that is closed or missing, or a container that lost its devices.

## When it is not a fault
Without a GPU, or with all GPUs handed to virtual machines, NVML has nothing to start for. Some sandboxes
hide NVML on purpose while CUDA works: then only monitoring is affected.

## What to do
Follow the cause that is named beside it. If none is named, compare the version in
`/proc/driver/nvidia/version` with the version in the name of the libnvidia-ml file, look at `ls -l
/dev/nvidia*`, and read the kernel log for `NVRM` lines.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.knowledge import nvml_error
from codeblue.knowledge.translated import chinese
from codeblue.model.facts import Nvml, Pci
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "nvml-init-failed",
    title=Text("NVML does not start", "NVML 无法初始化"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    explains=("nvidia-smi-failed",),
    references=(
        Reference(
            "NVML API reference, nvmlReturn_t",
            "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("Failed to initialize NVML", r"Failed to initialize NVML: (?P<words>.+)"),
        Signature("nvml error:", r"initialization error: nvml error: (?P<words>.+)"),
    ),
    next_command="cat /proc/driver/nvidia/version; ls -l /dev/nvidia*; sudo dmesg | grep -i nvrm",
)
def nvml_init_failed(nvml: Nvml, pci: Pci) -> Iterator[Hit]:
    if not own_gpus(pci) or nvml.init == 0:
        return
    error = nvml_error(nvml.init)
    yield Hit(
        subject="driver",
        summary=message(
            "nvmlInit returned {code} ({name}: {meaning})",
            "nvmlInit 返回 {code}（{name}：{meaning_zh}）",
            code=nvml.init,
            name=error.name if error else "unknown code",
            meaning=error.meaning if error else "-",
            meaning_zh=chinese(error.meaning) if error else "-",
        ),
        because=cite("nvml.init", "nvml.library"),
    )
