"""
## What it means
On this server no program keeps the driver's state of a data-centre GPU alive. Each time the last program
closes the GPU, the driver shuts it down, and the next one pays for the start: one second per GPU, on big
boards many.

## Why it happens
Persistence mode is off after every boot unless nvidia-persistenced runs or somebody sets it. Images that
bring the driver without the daemon, and containers that are supposed to bring it, are the usual reason.

## When it is not a fault
On a desktop or laptop it saves power, and a display keeps the GPU open anyway. While jobs run one after
the other without a gap it is hardly noticed. It is a risk because of what follows: slow first calls,
container start hooks that time out, counters and clock limits that are lost between jobs.

## What to do
`sudo systemctl enable --now nvidia-persistenced`. Where there is no daemon, `sudo nvidia-smi -pm 1` does
it until the next boot.

## How safe the fix is
It can be switched at any time, also while jobs run, and back again. An idle GPU draws a few watts more.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.knowledge.gpus import gpu_named
from codeblue.model.facts import Container, Nvml, Services
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SERVICE = "nvidia-persistenced"
SERVERS = ("datacenter", "superchip")

KEEP = Remedy(
    message("start nvidia-persistenced", "启动 nvidia-persistenced"),
    (
        Step(
            Verb.SERVICE_START,
            message("it keeps the driver's state between jobs", "它在任务之间保持驱动状态"),
            {"service": SERVICE},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


OFF = (
    r"Persistence[ _]mode\b.{0,30}(?:Disabled|\boff\b|not (?:on|enabled|set|active))|persistence_mode|"
    r"(?:without|no|disabled|enabl\w*|turn\w* on|set\w*|switch\w* on) (?:the )?persistence|"
    r"nvidia-smi (?:-i \S+ )?-pm ?1|"
    r"persistenced|持久(?:化)?模式|persistence ?模式"
)
STATE = (
    r"Disabled|\boff\b|not (?:on|enabled|set|active|running)|without|no persistence|inactive|-pm ?1|"
    r"enabl(?:e|ing)\b|enabled (?:the )?persistence|turn\w* on|"
    r"switch\w* on|关闭|没开|没有开|未开|没启|未启|开启|打开"
)
SLOW = (
    r"real\s+\d+m|/usr/bin/time|slow (?:init\w*|start\w*|cuda|first|nvidia-smi)|"
    r"(?:\binit\w*|\bstart\w*|launch\w*|first (?:call|cuda|use)|nvidia-smi|cuInit|context|"
    r"is_available\(?\)?|docker run|"
    r"containers?\b|every (?:call|command|run|job)).{0,60}(?:slow\w*|seconds?\b|\bminutes?\b|\d ?s\b|"
    r"timeout|timed out)|"
    r"(?:takes?|took|needs?|waits?).{0,24}(?:\d ?s\b|\d ?sec|seconds|minutes?).{0,60}(?:init|start|"
    r"nvidia-smi|cuda|first|context)|"
    r"signal: killed|hook.{0,50}(?:timeout|timed out|killed)|"
    r"(?:启动|初始化|首次|第一次|nvidia-smi|每次).{0,24}(?:慢|秒|分钟|卡顿|超时)"
)


QUICK = r"^real\s+0m0\."
"""A measured start that takes less than a second."""


@fault(
    "persistence-mode-off-slow-init",
    title=Text("Persistence mode is off on a server GPU", "服务器 GPU 没有开启 persistence 模式"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.NOTE,
    explains=(
        "nvidia-smi-failed",
        "container-started-without-nvidia-runtime",
    ),
    references=(
        Reference(
            "NVIDIA driver persistence", "https://docs.nvidia.com/deploy/driver-persistence/", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            all=(
                r"persistence[- _]?mode|persistence[- ]?M\b.{0,30}Off|nvidia-smi -pm"
                "|nvidia-persistenced|Persistence.{0,20}(?:off|disabled)|持久(?:化)?模式"
                r"|\| +Off +\|.{0,30}",
                r"slow|seconds|takes? .{0,12}(?:long|\d+ ?s|minute)|timed? ?out|timeout|deadline"
                r"|latency|\d+ ?sec\b|hangs? for|delay|很慢|超时|几十秒|\d+ ?多秒|十秒|耗时|太慢|变慢"
                "|特别慢|慢得",
            ),
            none=(
                "fabric ?manager|Xid|libnvidia-cfg|GSP|reset|sleep state|NCCL|training (?:is )?slow|tokens",
                r"Persistence Mode +: Enabled",
            ),
            bites=True,
        ),
        Clue(
            # Somebody measured how long one short command takes.
            all=(
                r"persistence[- _]?mode|\bOff +\| 0000|持久(?:化)?模式",
                r"\bDisabled\b|\bOff\b|关闭",
                r"\btime\b.{0,20}(?:nvidia-smi|python\S* -c|deviceQuery|docker run|torch\.cuda)"
                r"|^real\s+\d|time\.(?:time|perf_counter)\(|elapsed",
            ),
            none=(
                r"^real\s+0m0?[0-4]\.|Persistence Mode +: Enabled|Xid|GSP|fabric|NCCL|tokens|compute_\d\d",
            ),
        ),
        Clue(
            all=(
                "timed out|timeout|takes|took|需要|花了|执行",
                "driver rpc error: timed out|driver error: timed out"
                "|nvidia-container-cli.{0,60}timed out|hook.{0,40}(?:timed out|timeout)"
                r"|nvidia-smi.{0,30}(?:takes|took).{0,20}(?:\d+|long|minute)|nvidia-smi.{0,10}(?:要"
                "|需要|花|执行).{0,8}(?:秒|分钟|很久)",
            ),
            none=("Xid|GSP|fabric|D state|uninterruptible|nvml error", QUICK),
        ),
        Clue(
            all=(OFF, STATE, SLOW),
            none=(r"ERR!|Xid|fallen off|Unable to determine|No devices were found", QUICK),
        ),
    ),
    remedy=KEEP,
)
def persistence_mode_off_slow_init(
    nvml: Nvml, services: Services, container: Container | None
) -> Iterator[Hit]:
    if container is not None or SERVICE in services.services:
        return  # if the daemon is installed and does not run, that is a finding of its own
    off = [index for index, gpu in gpus(nvml).items() if is_server(gpu.name) and not gpu.persistence]
    if off:
        yield Hit(
            kind=Kind.RISK,  # while nobody complains
            subject="driver",
            summary=message(
                "persistence mode is off on {count} of {all} GPUs and there is no nvidia-persistenced",
                "{all} 块 GPU 中有 {count} 块关闭了 persistence 模式，且没有 nvidia-persistenced",
                count=len(off),
                all=len(nvml.gpus),
            ),
            because=cite(*(f"nvml.gpus[{index}].persistence" for index in off[:3]), "services.services"),
        )


def is_server(name: str) -> bool:
    """True if NVML's name is that of a GPU for servers."""
    gpu = gpu_named(name)
    return gpu is not None and gpu["class"] in SERVERS
