"""
## What it means
Somebody has set the power limit of this GPU below the one it was made for. Under load it lowers its clocks
to keep to it, so that the same job takes longer.

## Why it happens
`nvidia-smi -pl`, a start script or a management tool has set it: to keep a rack within its power, a room
within its cooling, or an old power supply alive. The setting is gone after a reboot unless something
sets it again.

## When it is not a fault
Mostly it is intended: 80 % of the power gives more than 90 % of the speed. It is a risk for those who do not
know of it, and the cause where a trial has found the GPU too slow.

## What to do
Ask who has set it. `nvidia-smi -q -d POWER` shows the default, the limit in force and the range. To go back:
`nvidia-smi -i N -pl WATTS` as root.

## How safe the fix is
More power is more heat: see that supply and cooling carry it. The setting can be changed back at any time,
also under load.
"""

from collections.abc import Iterator

from codeblue.model.facts import GpuTrial, Load
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

PART = 0.95
"""Of the default power limit: drivers round."""


@fault(
    "gpu-power-limit-lowered",
    title=Text("The power limit of a GPU has been lowered", "GPU 的功率上限被调低"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    explains=("gpu-slower-than-its-kind", "gpu-slower-than-before"),
    references=(
        Reference(
            "NVML: power management limits",
            "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html",
            "2026-12-01",
        ),
    ),
    next_command="nvidia-smi -q -d POWER",
)
def gpu_power_limit_lowered(gpu_trial: GpuTrial | None) -> Iterator[Hit]:
    rows = gpu_trial.devices if gpu_trial else {}
    for index, row in rows.items():
        if was_read(row, "load") and _lowered(row.load):
            load = row.load
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu} is limited to {watts} W; {default} W is its default",
                    "GPU {gpu} 的功率上限为 {watts} W；默认为 {default} W",
                    gpu=index,
                    watts=f"{load.power_limit_watts:g}",
                    default=f"{load.power_default_watts:g}",
                ),
                because=cite(
                    f"gpu_trial[{index}].load.power_limit_watts",
                    f"gpu_trial[{index}].load.power_default_watts",
                ),
                remedy=_raise(index, load.power_default_watts),
            )


def _lowered(load: Load) -> bool:
    if not (was_read(load, "power_limit_watts") and was_read(load, "power_default_watts")):
        return False
    return load.power_limit_watts < PART * load.power_default_watts


def _raise(index: str, watts: float) -> Remedy:
    return Remedy(
        message(
            "set the limit back to its default, if nobody needs it lower",
            "若无人需要，把功率上限恢复为默认值",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "ask who has set it, then run `nvidia-smi -i {gpu} -pl {watts}` as root",
                    "先问清是谁设置的，再以 root 运行 `nvidia-smi -i {gpu} -pl {watts}`",
                    gpu=index,
                    watts=f"{watts:g}",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )
