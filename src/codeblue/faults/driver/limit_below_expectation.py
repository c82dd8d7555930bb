"""
## What it means
A resource limit of this process is lower than the site's codeblue.toml asks for: locked memory (`ulimit
-l`) or open files (`ulimit -n`). Jobs start, and fail later, in RDMA registration or with "Too many open
files". Where the expectation comes from is in the evidence: the file behind `expectations`. Without a
codeblue.toml nothing is expected and this is never said.

## Why it happens
Limits are inherited: from PAM for a login, from the unit for a service, from slurmd for a job, from the
engine for a container. A file in limits.d changes none of the last three, and a shell that was open before
the change keeps the old values.

## When it is not a fault
The limits of this shell are judged, not those of a job elsewhere: run codeblue where the job runs, for
instance with `srun`. Only the soft limit counts, since that is what the job gets; a program that raises it
itself up to the hard limit is content with less.

## What to do
Up to the hard limit `ulimit` in the job's script does it. Beyond that: `/etc/security/limits.d` for logins,
`LimitMEMLOCK=` and `LimitNOFILE=` for services including slurmd, `--ulimit` for containers; then start
anew.

## How safe the fix is
Raising a soft limit concerns this shell and ends with it. Higher hard limits take effect for new sessions;
running jobs keep theirs.
"""

from collections.abc import Iterator

from codeblue.model.facts import Expectations, Limit, Limits
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.site import size_in_bytes
from codeblue.model.text import Text, message

UNLIMITED = "unlimited"
FLAG = {"memlock": "-l", "files": "-n"}
KIB = 1024

HIGHER_HARD = Remedy(
    message("have the hard limit raised", "请管理员提高硬限制"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "limits.d for logins, LimitMEMLOCK= and LimitNOFILE= for services, --ulimit for containers",
                "登录会话改 limits.d，服务改 LimitMEMLOCK= 与 LimitNOFILE=，容器用 --ulimit",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "limit-below-expectation",
    title=Text("A resource limit is lower than the site expects", "资源限制低于站点的期望"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    remedy=HIGHER_HARD,
    next_command="ulimit -l; ulimit -n; ulimit -Hl; ulimit -Hn",
)
def limit_below_expectation(expectations: Expectations, limits: Limits) -> Iterator[Hit]:
    memlock, files = expectations.memlock, expectations.files
    if memlock is not None:
        least = None if memlock == UNLIMITED else size_in_bytes(memlock)
        yield from _below("memlock", limits, least, memlock)
    if files is not None:
        yield from _below("files", limits, files, str(files))


def _below(name: str, limits: Limits, least: int | None, said: str) -> Iterator[Hit]:
    limit = limits.limits.get(name)
    if limit is None or _reaches(limit.soft, least):
        return
    yield Hit(
        subject=f"limit:{name}",
        summary=message(
            "the soft limit {name} is {soft}, the site expects {said}",
            "软限制 {name} 为 {soft}，站点期望 {said}",
            name=name,
            soft=_shown(name, limit.soft),
            said=said,
        ),
        because=cite(f"limits[{name}].soft", f"limits[{name}].hard", f"expectations.{name}"),
        remedy=_raise(name, limit, least),
    )


def _shown(name: str, value: int | None) -> str:
    return f"{(value or 0) // KIB} KiB" if name == "memlock" else str(value)


def _reaches(value: int | None, least: int | None) -> bool:
    return value is None or (least is not None and value >= least)


def _raise(name: str, limit: Limit, least: int | None) -> Remedy:
    if not _reaches(limit.hard, least):
        return HIGHER_HARD
    value = UNLIMITED if least is None else str(-(-least // KIB) if name == "memlock" else least)
    why = message("before the job is started, in the same shell", "在启动任务之前，于同一个 shell 中执行")
    return Remedy(
        message("raise the soft limit", "提高软限制"),
        (Step(Verb.LIMIT_RAISE, why, {"flag": FLAG[name], "value": value}),),
        Automation.APPROVAL,
        Undo.EXACT,
    )
