"""
## What it means
The driver itself says that this GPU needs a recovery action before it can be trusted again: a GPU reset, a
reboot, or the draining of its peer connections. The log shows Xid 154 with the same words; programs see
"GPU requires reset". The action is what NVIDIA recommends, named in the finding.

## Why it happens
An earlier fault left the GPU or the driver in an inconsistent state: an uncorrectable memory error, a
hang, an NVLink error, a crashed system processor. The first Xid of the incident tells which.

## When it is not a fault
"Drain P2P" concerns NVLink and peer traffic only; work on that GPU alone may go on. Drivers older than 570
do not report the action at all.

## What to do
Stop what runs on the GPU, the monitoring and the persistence daemon included, then do what the driver asks:
`nvidia-smi --gpu-reset -i N` for a reset, a reboot where it says so. On NVSwitch machines reset all GPUs
together and restart the fabric manager. Look at the first Xid of this boot: if the action comes back
with it, the reset only hides the fault.

## How safe the fix is
Reset and reboot end every program on the GPU or the machine and cannot be taken back. They change
nothing on disk.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import PREFIX, gpus, refused
from codeblue.knowledge import table
from codeblue.model.facts import Nvml
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RESET_REQUIRED = 16
REBOOTS = ("NODE_REBOOT", "SYSTEM_REBOOT")


def action_name(value: int) -> str:
    """Return NVML's short name of a recovery action, e.g. ``GPU_RESET``."""
    for row in table("nvml_errors")["recovery_actions"]:
        if row["value"] == value:
            return str(row["name"]).replace("NVML_GPU_RECOVERY_ACTION_", "")
    return str(value)


def recover(name: str) -> Remedy:
    """Do what the driver asks for."""
    if name in REBOOTS:
        step = Step(Verb.REBOOT, message("the driver asks for a reboot", "驱动要求重启机器"))
        return Remedy(message("reboot the machine", "重启机器"), (step,), Automation.APPROVAL, Undo.NONE)
    step = Step(
        Verb.INSTRUCT,
        message(
            "stop all clients of the GPU, then carry out {name} (`nvidia-smi --gpu-reset -i N` resets it)",
            "停止该 GPU 的所有使用者，然后执行 {name}（复位命令是 `nvidia-smi --gpu-reset -i N`）",
            name=name,
        ),
    )
    return Remedy(message("carry out {name}", "执行 {name}", name=name), (step,), Automation.HUMAN, Undo.NONE)


@fault(
    "gpu-reset-required",
    title=Text("The driver asks for a reset of the GPU", "驱动要求复位 GPU"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(
        Reference(
            "NVIDIA GPU memory error management, recovery action flag",
            "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/error-recovery-and-response-flags.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "recovery action changed",
            PREFIX + r"154, .*recovery action changed from .* to (0x[1-9a-fA-F]|GPU Reset|Node Reboot|Drain)",
            Certainty.LIKELY,
            "gpu:{pci}",
        ),
        Signature("GPU Recovery Action", r"GPU Recovery Action +: (Reset|Reboot|Drain|Bus|Recover|System)"),
        Signature("requires reset", r"device handle for .*GPU requires reset"),
        Signature("requires a reset before", r"GPU requires a reset before it can be used again"),
    ),
    next_command="nvidia-smi -q | grep -i 'recovery action'",
)
def gpu_reset_required(nvml: Nvml) -> Iterator[Hit]:
    for index in refused(nvml, RESET_REQUIRED):
        yield Hit(
            subject=f"gpu:{index}",
            summary=message(
                "NVML gives no handle for GPU {gpu} before it is reset",
                "NVML 要求先复位 GPU {gpu}，才肯提供它的句柄",
                gpu=index,
            ),
            because=cite(f"nvml[{index}].handle"),
            variant="gpu-reset",
            remedy=recover("GPU_RESET"),
        )
    for index, gpu in gpus(nvml).items():
        if gpu.recovery_action != 0:
            name = action_name(gpu.recovery_action)
            yield Hit(
                subject=f"gpu:{index}",
                severity=Severity.WARNING if name == "DRAIN_P2P" else Severity.ERROR,
                summary=message(
                    "the driver asks for a recovery of GPU {gpu}: {name}",
                    "驱动要求对 GPU {gpu} 执行恢复动作：{name}",
                    gpu=index,
                    name=name,
                ),
                because=cite(f"nvml[{index}].recovery_action"),
                variant=name.lower().replace("_", "-"),
                remedy=recover(name),
            )
