"""
## What it means
ECC, persistence mode or MIG mode of a GPU is not set as the site's codeblue.toml asks for. The GPU works;
jobs see less memory, slow starts, slices instead of whole GPUs, or unprotected memory. Where the
expectation comes from is in the evidence: the file behind `expectations`. Without a codeblue.toml nothing
is expected and this is never said.

## Why it happens
Persistence mode is off after every boot unless nvidia-persistenced runs. ECC and MIG mode stay with the
GPU: a replaced one comes with the factory's setting, and somebody may have switched it for one job.

## When it is not a fault
Nodes that are partitioned on purpose: give them a `[[host]]` table with `mig = true`. GPUs without ECC
memory or without MIG do not report the setting, and then nothing is claimed. A change of ECC or MIG that
waits for a reset still shows the old state.

## What to do
Persistence: `sudo systemctl enable --now nvidia-persistenced`, or `sudo nvidia-smi -pm 1` until the next
boot. ECC: `sudo nvidia-smi -e 1`, effective after a reboot. MIG: `sudo nvidia-smi -i N -mig 0`, on an idle
GPU that is then reset.

## How safe the fix is
Persistence mode can be switched at any time and back. ECC and MIG need an idle GPU and end what runs on it:
drain the node first.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Expectations, Nvml
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SET = Remedy(
    message("set it as the site expects, or correct the expectation", "按站点的期望设置，或改正期望值"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "persistence: start nvidia-persistenced; ECC: `nvidia-smi -e 0|1` and a reboot; "
                "MIG: `nvidia-smi -i N -mig 0|1` on an idle GPU",
                "persistence：启动 nvidia-persistenced；ECC：`nvidia-smi -e 0|1` 并重启；"
                "MIG：在空闲的 GPU 上 `nvidia-smi -i N -mig 0|1`",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)
STATE = {True: "on", False: "off"}


@fault(
    "gpu-setting-unexpected",
    title=Text("A GPU setting is not what the site expects", "GPU 设置与站点的期望不符"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    remedy=SET,
    next_command="nvidia-smi -q | grep -iE -A1 '^GPU|persistence mode|(mig|ecc) mode'",
)
def gpu_setting_unexpected(expectations: Expectations, nvml: Nvml) -> Iterator[Hit]:
    rows = gpus(nvml)
    persistence, mig, ecc = expectations.persistence, expectations.mig, expectations.ecc
    if persistence is not None:
        yield from _differing("persistence", persistence, {i: gpu.persistence for i, gpu in rows.items()})
    if mig is not None:
        yield from _differing("mig", mig, {i: gpu.mig for i, gpu in rows.items()})
    if ecc is not None:
        yield from _differing("ecc", ecc, {i: gpu.ecc for i, gpu in rows.items()})


def _differing(setting: str, wanted: bool, found: dict[str, bool]) -> Iterator[Hit]:
    other = [index for index, value in found.items() if value is not wanted]
    if other:
        yield Hit(
            subject=f"setting:{setting}",
            variant=setting,
            summary=message(
                "{setting} is {found} on GPU {gpus}, the site expects {wanted}",
                "GPU {gpus} 的 {setting} 为 {found}，站点期望 {wanted}",
                setting=setting,
                gpus=", ".join(other),
                found=STATE[not wanted],
                wanted=STATE[wanted],
            ),
            because=cite(*(f"nvml.gpus[{i}].{setting}" for i in other[:3]), f"expectations.{setting}"),
        )
