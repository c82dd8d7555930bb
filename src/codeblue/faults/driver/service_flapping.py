"""
## What it means
A service on this machine ends and is started again by systemd, over and over. Every start takes time and
leaves a gap: container starts fail now and then, a node joins and leaves, GPU metrics have holes, and the
log fills.

## Why it happens
Its configuration or a file it needs is broken, a port or socket is taken, a library changed under it with a
driver upgrade, or it is killed for memory each time. systemd starts it again because its unit says so,
until the start limit is reached; then it stays failed.

## When it is not a fault
A few restarts since boot are ordinary, most of all while a machine comes up and one service waits for
another. It is told only if systemd has restarted it five times or more and it is being restarted, has
failed or was started within the last four minutes: the pace of five in twenty minutes that Kubernetes'
node problem detector calls frequent.

## What to do
`journalctl -b -u SERVICE -n 100` shows why it ended; the word of systemd (exit-code, oom-kill, signal,
start-limit-hit) says how. Mend that, then `sudo systemctl reset-failed SERVICE` and
`sudo systemctl restart SERVICE`.

## How safe the fix is
Reading is safe. Restarting docker or containerd may stop containers without live-restore; restarting
kubelet or slurmd leaves running jobs alone.
"""

from collections.abc import Iterator

from codeblue.model.facts import Service, Services
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

OFTEN = 5
RECENT = 20 * 60 / OFTEN
"""Seconds: five starts in twenty minutes are one in four."""

CAUGHT = ("activating", "failed")
READ_LOG = Remedy(
    message("read why it ends, mend that, then restart it", "查看它为什么退出，修好后再重启"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run journalctl -b -u SERVICE -n 100; then sudo systemctl reset-failed and restart",
                "运行 journalctl -b -u 服务名 -n 100；然后执行 sudo systemctl reset-failed 和 restart",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


UNIT = (
    r"\.service\b|systemctl|systemd|daemon-?set|kubectl|exporter|device-plugin|nvidia-dcgm|hostengine|"
    r"kubelet|slurmd|"
    r"containerd|dockerd|fabric-?manager|persistenced|node-problem|服务|守护进程"
)
AGAIN = (
    r"NRestarts=(?:[5-9]|\d{2,})|restart counter is at (?:[5-9]|\d{2,})|"
    r"Start request repeated too quickly|start-limit-hit|CrashLoopBackOff|crash-?loop\w*|\bflap(?:s|ping|"
    r"ped)?\b|"
    r"restart(?:s|ed|ing)? (?:itself )?(?:again and again|over and over|every|constantly|all the time|"
    r"non-?stop|\d{2,} times)|"
    r"(?:keeps?|kept|constantly|always|repeatedly) (?:on )?(?:crash|restart|dying|dies|exit|flapp)\w*|"
    r"(?:restarted|crashed|died) \d{2,} times|\d{2,} restarts|restart loop|(?:不断|反复|一直|频繁|循环|"
    r"老是)(?:地)?(?:重启|崩溃|退出)|"
    r"每隔.{0,8}重启|重启(?:了)? ?\d{2,} ?次"
)
SUPPORT = (
    r"dcgm|exporter|device-plugin|hostengine|kubelet|slurmd|containerd|dockerd|docker\.service|"
    r"fabric-?manager|"
    r"persistenced|node-problem|prometheus|\.service\b|systemctl|nvidia-\w+d\b"
)


@fault(
    "service-flapping",
    title=Text("A service is restarted again and again", "某个服务不断重启"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "Kubernetes node problem detector, systemd-monitor-counter.json",
            "https://github.com/kubernetes/node-problem-detector/blob/master/config/systemd-monitor-counter.json",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "restart counter is at",
            r"\.service: Scheduled restart job, restart counter is at (?:[5-9]|\d{2,})\b",
            Certainty.LIKELY,
        ),
        Signature(
            "Start request repeated too quickly",
            r"\.service: Start request repeated too quickly",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(all=(UNIT, AGAIN, SUPPORT)),
        Clue(
            all=(
                r"\b(?:NRestarts=|restart counter is at )(?:[1-9]\d+|[5-9])\b",
                r"auto-restart|ActiveState=(?:activating|failed)|Scheduled restart job|start request repeated"
                r"|start-limit-hit",
            ),
        ),
    ),
    remedy=READ_LOG,
    next_command="systemctl list-units --failed; systemctl show SERVICE -p NRestarts,Result",
)
def service_flapping(services: Services) -> Iterator[Hit]:
    for name, row in services.services.items():
        if row.state is not None and _flaps(row):
            yield Hit(
                subject=f"service:{name}",
                certainty=Certainty.LIKELY,
                summary=message(
                    "{service} was restarted {count} times and is {state} ({result})",
                    "{service} 已被重启 {count} 次，当前状态 {state}（{result}）",
                    service=name,
                    count=row.restarts,
                    state=row.state,
                    result=row.result or "?",
                ),
                because=cite(f"services[{name}].restarts", f"services[{name}].last_start"),
            )


def _flaps(row: Service) -> bool:
    if row.restarts is None or row.restarts < OFTEN:
        return False
    return row.state in CAUGHT or (row.last_start is not None and row.last_start < RECENT)
