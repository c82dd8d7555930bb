"""``--save`` and ``--against`` of ``codeblue trial numerics``."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import structs

from codeblue.cli.language import say
from codeblue.cli.output import write
from codeblue.model.facts import NumericsBase
from codeblue.model.section import UNREAD, State
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import message
from codeblue.sources import numerics
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    from codeblue.report.trial.against import Against
    from codeblue.sources.launch import Options

F = TypeVar("F", bound=Callable[..., Any])

TRIAL = "numerics"


def options(function: F) -> F:
    """Accept where a fingerprint goes, and what it is compared with."""
    save = click.option(
        "--save",
        metavar="FILE",
        help=say("Save the fingerprint of numerics to a file.", "把数值指纹保存到文件。"),
    )
    against = click.option(
        "--against",
        metavar="FILE|TARGET",
        help=say(
            "Compare numerics with a saved fingerprint, a snapshot, or another interpreter (python:PATH).",
            "把数值与保存的指纹、快照或另一个解释器（python:路径）比较。",
        ),
    )
    return save(against(function))


def check(trials: tuple[str, ...], save: str | None, against: str | None) -> None:
    """See before anything is measured that the options make sense. Raises UsageError or Unusable."""
    for option, value in (("--save", save), ("--against", against)):
        if value is not None and TRIAL not in trials:
            raise click.UsageError(say(f"{option} needs the trial numerics", f"{option} 需要 numerics 测试"))
    folder = Path(save or ".").parent
    if save is not None and (Path(save).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK)):
        raise Unusable(
            message(
                "{path}: no file can be written there; give --save FILE in a folder that is yours",
                "{path}：无法在那里写文件；请用 --save 指定你可写的目录中的文件",
                path=save,
            )
        )


def base(name: str, look: "Options", live: tuple[str, ...]) -> NumericsBase:
    """Return what is compared with; a target of one of the ``live`` kinds is measured. Raises Unusable."""
    from codeblue.pipeline import signatures

    if name != "local" and (name.partition(":")[0] not in live or Path(name).exists()):
        return numerics.read(name.removeprefix("file:"), signatures())
    from codeblue.sources import live as running
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse
    from codeblue.transport import local

    assert look.trials is not None
    only = structs.replace(look, trials={**look.trials, "trials": [TRIAL]})
    launched = launch(parse(name), only)
    try:
        *_, snapshot = running.snapshots(launched, signatures())
    finally:
        for probe in launched:
            local.end(probe.running)
    return numerics.measured(snapshot, name)


def beside(snapshot: Snapshot, known: NumericsBase | None) -> Snapshot:
    """Return the snapshot with what it is compared with."""
    machine = snapshot.machine
    if machine is None or known is None:
        return snapshot
    judged = structs.replace(machine, numerics_base=known)
    views = [judged if view is machine else view for view in snapshot.views]
    return structs.replace(snapshot, views=views)


def against(snapshot: Snapshot) -> "Against | None":
    """Return the comparison for the report; None if there is none, or nothing was measured."""
    machine = snapshot.machine
    if machine is None or machine.numerics_base is UNREAD or machine.numerics_trial is UNREAD:
        return None
    trial, known = machine.numerics_trial, machine.numerics_base
    if trial.state is not State.READ:
        return None
    from codeblue.model.numerics.difference import compared
    from codeblue.report.trial.against import Against

    about = [told for told in (known.host_name, known.time) if told]
    return Against(known.name, about, trial, compared(known, trial))


def keep(snapshot: Snapshot, path: str) -> None:
    """Write the fingerprint of a snapshot. Raises Unusable if there is none, or it cannot be written."""
    document = numerics.saved(snapshot, path)
    write(path, numerics.written(document, path))
