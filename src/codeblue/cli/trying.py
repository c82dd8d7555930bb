"""What ``codeblue trial`` asks of the probe, and where its report goes."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct, structs

from codeblue import patience
from codeblue.cli import screen
from codeblue.cli.language import say
from codeblue.cli.output import write
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.measure import Measure
from codeblue.model.section import UNREAD, State
from codeblue.model.site import Waiver
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import message
from codeblue.sources.target import Target, Unusable, parse

if TYPE_CHECKING:
    from rich.console import RenderableType

    from codeblue.report.terminal import Terminal
    from codeblue.report.trial.against import Against
    from codeblue.sources.launch import Options
    from codeblue.sources.launched_trial import Launcher

TRIALS = ("numerics", "gpu", "memory", "links", "nccl", "loader")
"""In the order in which they run: numerics wants interpreters that have done nothing yet."""
HIGHEST = 4095
"""No machine has more GPUs."""
PAIRED = ("links", "nccl")
"""Trials for which one GPU is not enough."""
WIDE = 1000
"""Columns of a report that no terminal wraps."""
LIVE = ("local", "python", "docker", "podman", "pod", "pid", "ssh", "slurm")


class Asked(Struct, frozen=True, kw_only=True):
    """What is to be measured."""

    trials: tuple[str, ...]
    gpus: tuple[int, ...] | None = None
    touch_busy: bool = False
    small: bool = False
    paths: tuple[str, ...] = ()
    """Folders with data."""
    changed: dict[str, str | None] = {}
    """Variables of a second run of the collectives: set, or removed for None."""
    launcher: "Launcher | None" = None
    """What starts the ranks of the collectives, if not the probe."""


def asked_for(
    target: Target,
    *,
    trials: Sequence[str],
    gpus: str | None,
    busy: bool,
    small: bool,
    paths: Sequence[str],
    launch: str | None,
    with_: Sequence[str],
    without: Sequence[str],
) -> Asked:
    """Return what the command line asks for. Raises Unusable."""
    from codeblue.cli import launching

    launcher = None
    wanted = named(trials)
    if launch is not None:
        wanted, launcher = launching.fit(launch, tuple(trials) and wanted, target)
    return Asked(
        trials=wanted,
        gpus=numbers(gpus),
        touch_busy=busy,
        small=small,
        paths=folders(paths, target),
        changed=variables(with_, without, wanted),
        launcher=launcher,
    )


def named(trials: Sequence[str]) -> tuple[str, ...]:
    """Return the trials of these names, all for none, in the order in which they run. Raises Unusable."""
    for name in trials:
        if name not in TRIALS:
            raise Unusable(
                message(
                    "there is no trial '{name}'; use {known}",
                    "没有名为 '{name}' 的测试；可用：{known}",
                    name=name,
                    known=", ".join(TRIALS),
                )
            )
    return tuple(name for name in TRIALS if name in trials or not trials)


def numbers(gpus: str | None) -> tuple[int, ...] | None:
    """Return the numbers in a list such as ``0,2-3``. Raises Unusable."""
    if gpus is None:
        return None
    found: list[int] = []
    for part in gpus.split(","):
        first, dash, last = part.strip().partition("-")
        decimal = len(part) < 20 and part.isascii() and first.isdigit() and (last.isdigit() or not dash)
        if not decimal or not int(first) <= int(last or first) <= HIGHEST:
            raise Unusable(
                message(
                    "--gpus {gpus}: write numbers such as 0,1 or 0-7",
                    "--gpus {gpus}：请写成 0,1 或 0-7 这样的编号",
                    gpus=gpus,
                )
            )
        found += range(int(first), int(last or first) + 1)
    return tuple(dict.fromkeys(found))


def variables(with_: Sequence[str], without: Sequence[str], trials: Sequence[str]) -> dict[str, str | None]:
    """Return the variables of a second run of the collectives. Raises Unusable."""
    changed: dict[str, str | None] = {}
    for told in with_:
        name, equals, value = told.partition("=")
        if not equals or not name.isidentifier():
            raise Unusable(
                message("--with {told}: write NAME=VALUE", "--with {told}：请写成 名称=值", told=told)
            )
        changed[name] = value
    for name in without:
        if not name.isidentifier():
            raise Unusable(
                message(
                    "--without {name}: write the name of a variable",
                    "--without {name}：请写变量名",
                    name=name,
                )
            )
        changed[name] = None
    if changed and "nccl" not in trials:
        raise Unusable(
            message(
                "--with and --without are for the trial nccl, which is not among {trials}",
                "--with 和 --without 用于 nccl 测试，而所选测试（{trials}）里没有它",
                trials=", ".join(trials),
            )
        )
    return changed


def live(name: str) -> Target:
    """Return the target if something can be run there. Raises Unusable."""
    target = parse(name)
    if target.kind not in LIVE:
        raise Unusable(
            message(
                "{name}: a trial runs programs, so it needs a live target: local, python:PATH, docker:NAME, "
                "podman:NAME, pod:NS/POD, ssh:HOST, slurm:NODE or pid:N",
                "{name}：需要运行程序，目标必须正在运行：local、python:路径、docker:名称、podman:名称、"
                "pod:命名空间/POD、ssh:主机、slurm:节点、pid:N",
                name=name,
            )
        )
    return target


def folders(paths: Sequence[str], target: Target) -> tuple[str, ...]:
    """Return the folders as the target names them. Raises Unusable for one that is not here."""
    if target.kind not in ("local", "python"):
        return tuple(paths)
    for path in paths:
        if not _a_folder(path):
            raise Unusable(
                message("--path {path}: there is no such folder", "--path {path}：没有这个文件夹", path=path)
            )
    return tuple(os.path.abspath(path) for path in paths)


def _a_folder(path: str) -> bool:
    """Return False for what is no folder; one whose file server is silent is left to the trial."""
    try:
        return bool(patience.within(patience.SECONDS, lambda: os.path.isdir(path)))
    except patience.Silent:
        return True


def look(options: "Options", asked: Asked) -> "Options":
    """Return how the target is looked at, with what is to be measured there."""
    if asked.launcher is not None:
        return options
    from codeblue.sources.trial_text import worker

    wanted = {
        "trials": list(asked.trials),
        "gpus": list(asked.gpus) if asked.gpus else None,
        "touch_busy": asked.touch_busy,
        "small": asked.small,
        "options": {"loader": {"paths": list(asked.paths)}},
        "changed": {"nccl": asked.changed} if asked.changed else {},
        "worker": worker(),
    }
    return structs.replace(options, trials=wanted)


def left_out(snapshot: Snapshot, asked: Asked) -> dict[str, str]:
    """Return the trials and devices that were not tried, and why."""
    left: dict[str, str] = {}
    view = snapshot.machine
    for trial in asked.trials:
        section = getattr(view, f"{trial}_trial", UNREAD)
        if section is UNREAD:
            left[trial] = State.NOT_ATTEMPTED.value
        elif section.state is not State.READ:
            left[trial] = f"{section.state.value}: {section.reason}"
        else:
            left |= {f"{trial} gpu:{index}": why for index, why in section.passed_over.items()}
            left |= {
                f"{trial} {index}": row.error
                for index, row in section.devices.items()
                if row.error is not None
            }
            if trial in PAIRED and any(row.alone for row in section.devices.values()):
                left[f"{trial} machine"] = say(
                    "not applicable: it takes two GPUs", "不适用：需要至少两块 GPU"
                )
    return left


def judged(diagnosis: Diagnosis, snapshot: Snapshot, asked: Asked) -> Diagnosis:
    """Return the diagnosis; nothing is called healthy where a trial that was asked for did not run."""
    missing = set(left_out(snapshot, asked)) & set(asked.trials)
    if (missing or any(_failed(snapshot, trial) for trial in asked.trials)) and diagnosis.verdict in (
        Overall.HEALTHY,
        Overall.RISK,
    ):
        return structs.replace(diagnosis, verdict=Overall.UNKNOWN)
    return diagnosis


def _failed(snapshot: Snapshot, trial: str) -> bool:
    """True if no device has come to the end of a trial."""
    section = getattr(snapshot.machine, f"{trial}_trial", UNREAD)
    rows = section.devices.values() if section is not UNREAD and section.state is State.READ else ()
    return bool(rows) and all(row.error is not None for row in rows)


def took(snapshot: Snapshot, asked: Asked) -> dict[str, float]:
    """Return the seconds of each trial that was run."""
    sections = {trial: getattr(snapshot.machine, f"{trial}_trial", UNREAD) for trial in asked.trials}
    return {
        trial: section.seconds
        for trial, section in sections.items()
        if section is not UNREAD and section.state is State.READ
    }


class Screen(screen.Screen):
    """The screen of ``check`` with the table of measures."""

    def __init__(
        self, form: str, output: str | None, verbose: bool, salt: str, lang: str, asked: Asked
    ) -> None:
        super().__init__(form, output, verbose, salt, lang)
        self.asked = asked
        self.against: Against | None = None
        """What numerics were compared with."""
        self.pictures: dict[str, RenderableType] = {}

    def draw(self, view: View) -> None:
        """Draw what a picture shows better than rows."""
        from codeblue.report.trial import links

        drawn = links.picture(view, self.lang)
        if drawn is not None:
            self.pictures["links"] = drawn

    def so_far(self, snapshot: Snapshot, waivers: Sequence[Waiver]) -> None:
        """Show the layers, then the measures that are there."""
        machine = snapshot.machine
        if self._live is None or machine is None:
            super().so_far(snapshot, waivers)
            return
        from codeblue.diagnose.measures import measures
        from codeblue.report.trial import terminal

        running = next(
            (one for one in self.asked.trials if getattr(machine, f"{one}_trial", UNREAD) is UNREAD), None
        )
        self.draw(machine)
        page = terminal.so_far(measures(machine), running, self.lang, self.pictures)
        self._live.update(page, refresh=True)

    def tell(
        self,
        diagnosis: Diagnosis,
        measures: Sequence[Measure],
        left: Mapping[str, str],
        took: Mapping[str, float],
    ) -> None:
        """Print the report, or write it to the file."""
        self.close()
        if self.to_person:
            self._print(self._terminal(), diagnosis, measures, left)
            return
        text = self._document(diagnosis, measures, left, took)
        if self.output is None:
            click.echo(text, nl=False)
            return
        self._refuse_secrets(diagnosis, self.output)
        write(self.output, text.encode())

    def _print(
        self, terminal: "Terminal", diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str]
    ) -> None:
        from codeblue.report.trial import terminal as page

        terminal.console.print(page.table(measures, self.lang, self.pictures))
        if self.against:
            terminal.console.print(self.against.table(self.lang, self.verbose, terminal.reveal))
        if left:
            terminal.console.print(page.left(left, say("not tried", "未测")))
        terminal.show(diagnosis)

    def _document(
        self,
        diagnosis: Diagnosis,
        measures: Sequence[Measure],
        left: Mapping[str, str],
        took: Mapping[str, float],
    ) -> str:
        from codeblue.report.trial import json_v1, junit, prometheus

        if self.form == "json":
            compared = self.against.document() if self.against else None
            return json_v1.render(diagnosis, measures, left, self.lang, compared)
        if self.form == "junit":
            return junit.render(diagnosis, measures, left, took, self.lang)
        if self.form == "prometheus":
            return prometheus.render(diagnosis, measures)
        from io import StringIO

        from rich.console import Console

        from codeblue.report.terminal import Terminal

        page = StringIO()
        console = Console(file=page, width=WIDE, highlight=False, emoji=False)
        shown = Terminal(console, self.lang, self.verbose, self.pseudonyms.reveal)
        self._print(shown, diagnosis, measures, left)
        return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
