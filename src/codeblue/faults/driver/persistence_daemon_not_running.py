"""
## What it means
nvidia-persistenced is installed on this server but does not run, and persistence mode is off. Each time
the last program closes a GPU, the driver shuts it down; the next program waits for the start again, one
second per GPU and on big boards many, and counters and clock limits that were set between jobs are gone.

## Why it happens
The service was stopped, is disabled or masked, or has failed: a user for the daemon that does not exist,
a folder in /run that it may not write, a library of another driver version after an upgrade.

## When it is not a fault
On a desktop a display keeps the GPU open, and it saves power. If somebody has set persistence mode with
`nvidia-smi -pm 1` the daemon is not needed until the next boot, and nothing is said here. In a
virtual machine or container the host may run it.

## What to do
`systemctl status nvidia-persistenced` says why it does not run. Then
`sudo systemctl enable --now nvidia-persistenced`.

## How safe the fix is
It can be started at any time, also while jobs run, and stopped again. An idle GPU draws a few watts more.
"""

from collections.abc import Iterator

from codeblue.faults.driver.persistence_mode_off_slow_init import KEEP, SERVICE, is_server
from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Container, Nvml, Services
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

DAEMON = r"nvidia-persistenced|persistence daemon|nvidia-persistence|持久化(?:守护进程|服务)"
DOWN = (
    r"^\s*(?:inactive|failed|disabled|masked)\s*$|Active: (?:inactive|failed)|"
    r"(?:persistenced|persistence daemon)[\w.]*[^,;]{0,60}(?:not running|inactive|\bdead\b|disabled|masked|"
    r"\bfailed|stopped|"
    r"\bdown\b|crash\w*|not (?:been )?(?:start|enabl|activ)\w*|n.t (?:start|run|enabl)\w*|never start\w*)|"
    r"(?:forgot|not|n.t|never|without) .{0,24}(?:persistenced|persistence daemon)|"
    r"(?:persistenced|持久化(?:守护进程|服务)).{0,24}(?:没(?:有)?(?:运行|启动|在跑|起来|开)|未(?:运行|启动|启用)|停(?:止|了)|起不来|挂了|失败)"
)


@fault(
    "persistence-daemon-not-running",
    title=Text("nvidia-persistenced is installed but does not run", "nvidia-persistenced 已安装但没有运行"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    references=(
        Reference(
            "NVIDIA driver persistence", "https://docs.nvidia.com/deploy/driver-persistence/", "2026-11-30"
        ),
    ),
    clues=(
        Clue(all=(DAEMON, DOWN), none=(r"libnvidia-cfg|Failed to query NVIDIA devices",)),
        Clue(
            all=(
                r"persistence[_ -]?(?:mode|M)\b|^ *\d+, .*Disabled|持久(?:化)?模式",
                r"\bDisabled\b|\bOff\b|关闭|没有开|没开启",
                r"^(?:inactive|failed|disabled|dead)$|nvidia-persistenced\S* .{0,40}(?:inactive"
                r"|not running|dead\b|disabled|stopped|failed)|Active: (?:inactive|failed)"
                r"|nvidia-persistenced.{0,12}(?:没有?运行|未运行|没启动|未启动|停了)",
                r"nvidia-persistenced",
            ),
            none=(r"libnvidia-cfg|fabric ?manager|Xid",),
        ),
    ),
    remedy=KEEP,
    next_command="systemctl status nvidia-persistenced; journalctl -b -u nvidia-persistenced",
)
def persistence_daemon_not_running(
    nvml: Nvml, services: Services, container: Container | None
) -> Iterator[Hit]:
    if container is not None or SERVICE not in services.services or services.services[SERVICE].running:
        return
    off = [index for index, gpu in gpus(nvml).items() if is_server(gpu.name) and not gpu.persistence]
    if off:
        yield Hit(
            subject=f"service:{SERVICE}",
            summary=message(
                "{service} does not run ({state}), and persistence mode is off on {count} of {all} GPUs",
                "{service} 没有运行（{state}），且 {all} 块 GPU 中有 {count} 块关闭了 persistence 模式",
                service=SERVICE,
                state=services.services[SERVICE].state or "-",
                count=len(off),
                all=len(nvml.gpus),
            ),
            because=cite(
                f"services[{SERVICE}].running", *(f"nvml.gpus[{index}].persistence" for index in off[:3])
            ),
        )
