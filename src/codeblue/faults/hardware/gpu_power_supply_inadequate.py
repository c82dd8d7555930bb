"""
## What it means
The GPU does not get the power it needs. Either the driver refuses to start it because a power plug is
missing (Xid 54, "does not have the necessary power cables connected"), or the board's power brake pin
is active: something outside the GPU orders it to halve its clocks.

## Why it happens
A plug is not seated, a cable is of the wrong kind (some server cards take a CPU plug, not a PCIe one),
one cable feeds two sockets, or a power supply has failed and the rest cannot carry the load. The power
brake is pulled by the server's own controller when a supply is lost or its power budget is exceeded. A
supply or wall circuit that sags under load peaks shows up differently: the card falls off the bus (Xid
79).

## When it is not a fault
Some sites cap the power of a rack through the controller on purpose; the brake is then working as
ordered. Laptops pull it on battery, so it is judged on server boards only. `SW Power Cap` is the normal
limit of the board.

## What to do
With the power off, check every plug at the card and at the supply. On a server read the controller's
event log (`ipmitool sel list`) for lost supplies and power limits. If the card only dies under load,
lower its limit (`nvidia-smi -pl`) as a test: if it then survives, the supply is the cause.

## How safe the fix is
Plugs are touched with the machine switched off. A lower power limit costs speed and is gone after
a reboot.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.server_gpus import is_server_name
from codeblue.faults.hardware.xids import NAMED, PREFIX, by_slot, cited, gpus, refused, slot
from codeblue.faults.words import GPU_DROPS
from codeblue.model.facts import KernelLog, Nvml
from codeblue.model.fault import Certainty, Cite, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

POWER_BRAKE = 0x80
INSUFFICIENT_POWER = 8
CABLES = "does not have the necessary power cables connected"

PLUGS = Remedy(
    message("check the power plugs and supplies", "检查供电插头和电源"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "with the machine off seat every power plug of the card; read the controller's event log",
                "关机后重新插好板卡的每个供电插头；查看管理控制器的事件日志",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-power-supply-inadequate",
    title=Text("A GPU does not get enough power", "GPU 供电不足"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "gpu-fallen-off-bus",
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
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
        Reference("NVIDIA Xid errors", "https://docs.nvidia.com/deploy/xid-errors/index.html", "2026-11-30"),
    ),
    signatures=(
        Signature(CABLES, rf"NVRM: ({NAMED})?.*{CABLES}"),
        Signature("NVRM: Xid", PREFIX + r"54\b", subject="gpu:{pci}"),
        Signature("Insufficient External Power", r"device handle for .*Insufficient External Power"),
        Signature("Power Brake Slowdown", "HW Power Brake Slowdown *: *Active", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                GPU_DROPS + "|Xid|Unknown Error|RmInitAdapter|No devices were found|slowdown|throttl",
                r"\bPSU\b|power supply|power supplies|wall socket|wall outlet|\boutlet\b|amp circuit"
                r"|\bcircuit\b|\bbreaker\b|\bUPS\b|power (?:cable|connector|plug|adapter|brick)"
                r"|12VHPWR|12V-2x6|\b[68]-pin\b|\bpigtail|daisy[- ]chain|insufficient.{0,12}power"
                r"|not enough power|under-?volt|brown-?out|\b\d{3,4} ?W (?:PSU|supply|power)"
                "|Power Brake Slowdown *: *Active|transient (?:spike|load)|电源(?:功率|供|不|线|额定"
                r"|瓦|\d)|供电|电源.{0,6}(?:不足|不够)|掉电|插座|电压",
            ),
            none=(
                "power limit.{0,20}(?:not|unsupported)",
                # Somebody tried other power, and it is not that.
                r"(?:\bPSUs?\b|power (?:suppl\w+|cables?)).{0,30}"
                r"(?:chang(?:ed|es)|help(?:ed|s)?|made|makes) (?:nothing|no)"
                r"|(?:(?:swap|chang|replac|exchang)\w+|(?:an)?other|new|different) (?:the )?"
                r"(?:\bPSU|power (?:suppl|cable)).{0,40}"
                r"(?:nothing|no (?:effect|difference|change|help)|not help|n't help|still|same)"
                r"|换(?:了|过)?.{0,4}电源.{0,12}(?:没用|无效|一样|还是|依旧|依然)",
            ),
        ),
        Clue(
            all=(
                r"power limit|-pl \d+|nvidia-smi .*--power-limit|power cap|功耗(?:墙|限制|上限)"
                "|限制功耗|降低功耗",
                r"fallen off|fell off|Xid\D{0,25}79\b|reboots|shuts? (?:down|off)|掉卡|掉线|重启|关机",
            ),
        ),
    ),
    remedy=PLUGS,
    next_command="sudo ipmitool sel list | grep -i power",
)
def gpu_power_supply_inadequate(
    kernel_log: KernelLog | None = None, nvml: Nvml | None = None
) -> Iterator[Hit]:
    logged = unplugged(kernel_log)
    told = {} if logged else {i: cite(f"nvml[{i}].handle") for i in refused(nvml, INSUFFICIENT_POWER)}
    for gpu, lines in (logged | told).items():
        yield Hit(
            subject=f"gpu:{gpu}",
            summary=message(
                "GPU {gpu} lacks a power plug",
                "GPU {gpu} 缺少供电插头",
                gpu=gpu,
            ),
            because=lines,
            variant="cable",
        )
    for index, row in gpus(nvml).items():
        if row.throttle & POWER_BRAKE and is_server_name(row.name):
            yield Hit(
                subject=f"gpu:{index}",
                severity=Severity.WARNING,
                certainty=Certainty.LIKELY,
                summary=message(
                    "the server's power brake holds GPU {gpu} at half its clock or less",
                    "服务器的供电制动信号把 GPU {gpu} 的时钟压到一半或更低",
                    gpu=index,
                ),
                because=cite(f"nvml[{index}].throttle"),
                variant="brake",
            )


def unplugged(log: KernelLog | None) -> dict[str, tuple[Cite, ...]]:
    """Return what this boot's log says about missing plugs, by PCI slot."""
    found = {gpu: cited(seen) for gpu, seen in by_slot(log, (54,)).items()}
    for position, line in enumerate(log.lines if log else []):
        if CABLES in line.text:
            gpu = slot(line.text)
            gpu = "?" if gpu == line.text else gpu
            found.setdefault(gpu, cite(f"kernel_log.lines[{position}].text"))
    return found
