"""``codeblue trial nccl --launch``: collectives over hosts, started by the site's own launcher."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import structs

from codeblue.model.section import UNREAD, NotRead, State
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import message
from codeblue.sources.target import Target, Unusable
from codeblue.state import Pseudonyms

if TYPE_CHECKING:
    from codeblue.cli.trying import Asked
    from codeblue.model.facts import NcclTrial, Sightings
    from codeblue.sources.launch import Options
    from codeblue.sources.launched_trial import Launcher

ON = ("local", "python")
"""Targets whose interpreter a launcher can start: the same path on every host."""


def fit(launch: str, trials: tuple[str, ...], target: Target) -> "tuple[tuple[str, ...], Launcher]":
    """Return the trials and the launcher. Raises Unusable if it cannot be used for these or there."""
    from codeblue.sources.launched_trial import launcher

    if set(trials) - {"nccl"}:
        raise Unusable(
            message(
                "--launch starts the collectives only: codeblue trial nccl --launch '{launch}'",
                "--launch 只用于集合通信：codeblue trial nccl --launch '{launch}'",
                launch=launch,
            )
        )
    if target.kind not in ON:
        raise Unusable(
            message(
                "--launch needs local or python:PATH, an interpreter that every host has; {name} is neither",
                "--launch 需要 local 或 python:路径，即每台主机都有的解释器；{name} 不是",
                name=target.name,
            )
        )
    return ("nccl",), launcher(launch)


def beside(snapshot: Snapshot, asked: "Asked", target: Target, options: "Options") -> Snapshot:
    """Return the snapshot with what the launched ranks measured; itself if nothing was to be launched."""
    launcher, machine = asked.launcher, snapshot.machine
    if launcher is None or machine is None:
        return snapshot
    small, seconds, salt, changed = asked.small, options.budget, options.salt, asked.changed
    python = target.value if target.kind == "python" else _python(machine, salt)
    if python is None:
        return _with(snapshot, machine, _nothing(launcher), None)
    from codeblue.pipeline import signatures
    from codeblue.sources.launched_trial import run

    known = signatures()
    section, seen = run(launcher, python, {}, small, seconds, salt, known)
    if changed and section.state is State.READ:
        other, _ = run(launcher, python, changed, small, seconds, salt, known)
        section = structs.replace(section, again=_again(other, changed))
    return _with(snapshot, machine, section, seen)


def _nothing(launcher: "Launcher") -> "NcclTrial":
    from codeblue.model.facts import NcclTrial

    return NcclTrial(
        state=State.NOT_ATTEMPTED, reason="no interpreter with torch is known here", launcher=launcher.name
    )


def _again(section: "NcclTrial", changed: Mapping[str, str | None]) -> object:
    from codeblue.model.facts import NcclLog, NcclRun

    if section.state is not State.READ:
        return UNREAD
    return NcclRun(changed=dict(changed), devices=section.devices, log=section.log or NcclLog())


def _python(machine: View, salt: str) -> str | None:
    """Return the interpreter that the probe found, by its real path."""
    try:
        return Pseudonyms(salt).reveal(machine.python.executable)
    except (NotRead, AttributeError):
        return None


def _with(snapshot: Snapshot, machine: View, section: "NcclTrial", seen: "Sightings | None") -> Snapshot:
    changed = structs.replace(machine, nccl_trial=section)
    if seen is not None and machine.sightings is not UNREAD and machine.sightings.state is State.READ:
        whole = structs.replace(machine.sightings, seen=[*machine.sightings.seen, *seen.seen])
        changed = structs.replace(changed, sightings=whole)
    views = [changed if view is machine else view for view in snapshot.views]
    return structs.replace(snapshot, views=views)
