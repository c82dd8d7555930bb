"""From the last check of a target to a plan."""

import os
import re
from datetime import date, timedelta
from typing import NamedTuple

import click

from codeblue import __version__, state
from codeblue.cli.explain import unknown
from codeblue.cli.language import say
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.finding import Finding
from codeblue.model.plan import Plan
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import Message, message
from codeblue.remedy.planning import Wanted, plan
from codeblue.remedy.registry import ACTIONS
from codeblue.sources.target import Unusable


class Where(NamedTuple):
    """What is to work again, and how it is looked at."""

    target: str
    config: str | None = None
    as_user: str | None = None
    """Whose access is judged when codeblue runs as root."""


CHANGED = ("local", "python")
"""Kinds of targets on which codeblue changes something itself."""
LONGEST = 366
"""Days of a temporary change."""


def known(faults: tuple[str, ...]) -> None:
    """Raise a usage error with the nearest names if the catalogue lacks one of these."""
    entries = index.entries()
    for fault in faults:
        if fault not in entries:
            raise click.UsageError(unknown(fault, list(entries)))


def when(temporary: str | None) -> str | None:
    """Return the last day of a temporary change."""
    if temporary is None:
        return None
    found = re.fullmatch(r"(\d{1,3})d?", temporary)
    if found is None or not 0 < int(found[1]) <= LONGEST:
        raise click.UsageError(
            say(f"--temporary {temporary}: give days, as 3d", f"--temporary {temporary}：请给出天数，如 3d")
        )
    return (date.today() + timedelta(days=int(found[1]))).isoformat()


def plan_for(
    diagnosis: Diagnosis, faults: tuple[str, ...], expires: str | None
) -> tuple[Plan, tuple[tuple[str, Message], ...]]:
    """Return the plan for a diagnosis: for its causes, or for the named faults wherever they stand in it."""
    found = findings(diagnosis)
    chosen = [one for one in found if one.fault in faults] if faults else causes(diagnosis)
    wanted = [_wanted(one) for one in chosen if one.remedy is not None]
    reveal = state.Pseudonyms(state.salt()).reveal
    made, refused = plan((one for one in wanted if one), ACTIONS, reveal, __version__, expires)
    return made, refused + tuple(_without(faults, found))


def _wanted(finding: Finding) -> Wanted:
    assert finding.remedy is not None
    return finding.fault, finding.subject, finding.remedy


def _without(faults: tuple[str, ...], found: list[Finding]) -> list[tuple[str, Message]]:
    """Return why a named fault is not in the plan."""
    there = {one.fault: one for one in found}
    told = []
    for fault in faults:
        if fault not in there:
            told.append((fault, message("the last check did not find it here", "最近一次检查没有在此发现它")))
        elif there[fault].remedy is None:
            told.append(
                (
                    fault,
                    message(
                        "codeblue knows no steps for it; codeblue explain {fault} says what to do",
                        "codeblue 没有针对它的步骤；codeblue explain {fault} 说明了处理办法",
                        fault=fault,
                    ),
                )
            )
    return told


def causes(diagnosis: Diagnosis) -> list[Finding]:
    """Return the causes of the trouble."""
    return [one.finding for one in diagnosis.causes]


def findings(diagnosis: Diagnosis) -> list[Finding]:
    """Return everything that was found, causes first, and last what the next boot will bring."""
    explained = [one.finding for one in (*diagnosis.causes, *diagnosis.consequences)]
    later = diagnosis.after_boot.findings if diagnosis.after_boot else ()
    return [*explained, *diagnosis.risks, *later]


def diagnosed(snapshot: Snapshot, where: Where) -> Diagnosis:
    """Return the diagnosis of a snapshot by the site's file."""
    from codeblue.cli import site
    from codeblue.pipeline import judge

    return judge(snapshot, site.load(where.config).site.waive, next_boot=True)


def judged(as_user: str | None) -> str | None:
    """Return whose access is judged: root sees no permission fault, so the user behind sudo stands in."""
    if as_user is None and os.geteuid() == 0:
        return os.environ.get("SUDO_USER")
    return as_user


def changeable(target: str) -> None:
    """Raise Unusable if codeblue changes nothing on such a target."""
    from codeblue.sources.target import parse

    if parse(target).kind not in CHANGED:
        raise Unusable(
            message(
                "{target}: changes are applied on local and python:PATH only; use --render for others",
                "{target}：只在 local 和 python:路径 上执行改动；其他目标请用 --render",
                target=target,
            )
        )


def last_or_fresh(where: Where) -> Snapshot:
    """Return the last check of the target if it is of this boot, else look now. Raises Unusable."""
    from codeblue.sources.recording import readable
    from codeblue.sources.target import parse

    target = where.target
    kind = parse(target).kind
    if kind not in (*CHANGED, "docker", "podman", "file"):
        raise Unusable(
            message(
                "{target}: fix works on local and python:PATH",
                "{target}：fix 只支持 local 和 python:路径",
                target=target,
            )
        )
    if kind == "file":
        from codeblue.cli.kept import from_file

        return from_file(target)
    kept = state.last(target)
    snapshot = readable(kept) if kept else None
    if snapshot is not None and where.as_user is None and _of_this_boot(snapshot):
        return snapshot
    return fresh(where)


def _of_this_boot(snapshot: Snapshot) -> bool:
    machine = snapshot.host or snapshot.machine
    if machine is None or machine.boot is None:
        return False
    names = state.Pseudonyms(state.salt())
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
            return names.pseudonym("boot", stream.read().strip()) == machine.boot
    except OSError:
        return False


def fresh(where: Where) -> Snapshot:
    """Check the target now, with its next boot, and keep the snapshot as its last one. Raises Unusable."""
    from msgspec import json

    from codeblue.cli import site
    from codeblue.pipeline import read
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse

    accepts = site.load(where.config)
    look = site.look(accepts, where.as_user, None, next_boot=True)
    target = parse(where.target)
    *_, whole = read(target, launch(target, look), (), look.salt, accepts)
    state.remember(whole.target, json.encode(whole))
    return whole
