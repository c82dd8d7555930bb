"""
## What it means
The GPU lowers its clocks because it is too hot. With the hardware thermal slowdown it protects itself
and runs at half speed or less; with the software thermal slowdown the driver takes the clocks down step
by step to stay below the operating limit. Training goes on, slower; one hot GPU slows all ranks of a
job. If the heat keeps rising the board switches itself off and falls off the bus.

## Why it happens
Too little air reaches the board: failed or slow fans, a passive server card in a case without directed
air flow, missing blanks, dust, hot intake air, a cold plate or thermal pad without contact.
Memory can be too hot while the core looks fine.

## When it is not a fault
Laptops touch their limit under full load by design. A power cap (`SW Power Cap`) and an idle GPU lower the
clocks too, without any heat. A single short event after a load step is nothing.

## What to do
Watch `nvidia-smi -q -d TEMPERATURE,PERFORMANCE -i N` under load and compare with the neighbours: one
hot GPU points to its cooler, all of them to fans, blanks or the room. A server card needs the air flow
that its data sheet asks for; a fan in the room does not replace the duct. Until it is repaired lower
the power limit (`nvidia-smi -pl`).

## How safe the fix is
Looking changes nothing. A lower power limit costs speed and is gone after a reboot.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.server_gpus import is_server_name
from codeblue.faults.hardware.xids import gpus
from codeblue.faults.words import GPU_DROPS
from codeblue.model.facts import GpuTrial, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

SW_THERMAL = 0x20
HW_THERMAL = 0x40
OFTEN = 0.1
"""Part of the samples under load from which heat is no single short event."""

COOL = Remedy(
    message("give the GPU its air flow back", "恢复 GPU 的散热气流"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "check fans, blanks and dust; until then lower the power limit with `nvidia-smi -pl`",
                "检查风扇、挡板和积尘；在修好之前用 `nvidia-smi -pl` 降低功率上限",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-overheating",
    title=Text("A GPU slows down because it is too hot", "GPU 因过热而降频"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=(
        "gpu-slower-than-its-kind",
        "gpu-slower-than-before",
        "gpu-fallen-off-bus",
        "nvidia-smi-failed",
        "nvml-init-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-xid-error",
        "gpu-kernel-failed",
    ),
    references=(
        Reference(
            "NVML clocks event reasons",
            "https://docs.nvidia.com/deploy/nvml-api/api/group__nvmlClocksEventReasons.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("HW Thermal Slowdown", r"HW Thermal Slowdown +: Active"),
        Signature("hw_thermal_slowdown>Active", r"_hw_thermal_slowdown>Active<"),
        Signature("HW Thermal Slowdown", "HW Thermal Slowdown *: *Active"),
        Signature("GPU Shutdown Temp", r"exceed\w* .{0,20}GPU Shutdown Temp", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                GPU_DROPS
                + r"|throttl|\bslow\b|slower|SMI|Unknown Error|No devices were found|降频|变慢|频率",
                r"passive(?:ly)?[- ](?:cool|card)?|fanless|(?:no|without a|without) fan\b|airflow"
                "|air flow|heat ?sink|overheat|over-?temperature|too hot"
                "|SW Thermal Slowdown *: *Active|thermal(?:ly)? (?:throttl|shutdown|limit|trip|event)"
                r"|thermals|cooling|\bfans?\b.{0,20}(?:0 ?%|dead|stopp|not spin|broken|fail|stuck)"
                r"|(?:9\d|10\d|11\d) ?(?:degC|deg C|degrees)|9\d °C|1[01]\d °C|90C\b|90°C|91C\b|91°C"
                r"|92C\b|92°C|93C\b|93°C|94C\b|94°C|95C\b|95°C|96C\b|96°C|97C\b|97°C|98C\b|98°C|99C\b"
                r"|99°C|100C\b|100°C|101C\b|101°C|102C\b|102°C|103C\b|103°C|104C\b|104°C|105C\b|105°C"
                r"|temp\w*.{0,12}(?:9\d|1[01]\d)|(?:9\d|1[01]\d) ?摄氏度|(?:9\d|1[01]\d) ?(?:多度"
                r"|度左右|度以上|几度|度就)|\bhot\b.{0,10}spot|过热|散热|温度(?:过|太|很|达|到|超)"
                "|风扇|风道|空调|积灰|被动",
            ),
            none=("water ?loop leak|NVLink bridge|room temperature|PCIe RxErr",),
        ),
    ),
    remedy=COOL,
    next_command="nvidia-smi -q -d TEMPERATURE,PERFORMANCE",
)
def gpu_overheating(nvml: Nvml, *, gpu_trial: GpuTrial | None = None) -> Iterator[Hit]:
    yield from _under_load(gpu_trial)
    for index, gpu in gpus(nvml).items():
        server = is_server_name(gpu.name)
        if gpu.throttle & HW_THERMAL:
            yield Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.CERTAIN if server else Certainty.LIKELY,
                summary=message(
                    "GPU {gpu} protects itself from heat and runs at half its clock or less ({celsius} °C)",
                    "GPU {gpu} 触发硬件过热保护，时钟降到一半或更低（{celsius} °C）",
                    gpu=index,
                    celsius=gpu.temperature,
                ),
                because=cite(f"nvml[{index}].throttle", f"nvml[{index}].temperature"),
            )
        elif server and gpu.throttle & SW_THERMAL:
            yield Hit(
                subject=f"gpu:{index}",
                kind=Kind.RISK,
                certainty=Certainty.LIKELY,
                summary=message(
                    "GPU {gpu} lowers its clocks to stay below its temperature limit ({celsius} °C)",
                    "GPU {gpu} 为不超过温度上限而降低时钟（{celsius} °C）",
                    gpu=index,
                    celsius=gpu.temperature,
                ),
                because=cite(f"nvml[{index}].throttle", f"nvml[{index}].temperature"),
            )


def _under_load(trial: GpuTrial | None) -> Iterator[Hit]:
    """Yield the GPUs that protected themselves from heat while a trial gave them all they could do."""
    for index, row in trial.devices.items() if trial else ():
        if not was_read(row, "load") or not was_read(row.load, "throttle"):
            continue
        if row.load.throttle.get(str(HW_THERMAL), 0.0) >= OFTEN:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu} protected itself from heat during {share} % of the trial",
                    "测试期间 GPU {gpu} 有 {share} % 的时间处于硬件过热保护",
                    gpu=index,
                    share=round(100 * row.load.throttle[str(HW_THERMAL)]),
                ),
                because=cite(f"gpu_trial[{index}].load.throttle"),
            )
