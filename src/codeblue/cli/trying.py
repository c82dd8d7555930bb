"""What ``codeblue trial`` asks of the probe, and where its report goes."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct, structs

from codeblue.cli import screen
from codeblue.cli.language import say
from codeblue.cli.output import write
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.measure import Measure
from codeblue.model.section import UNREAD, State
from codeblue.model.site import Waiver
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import message
from codeblue.sources.target import Target, Unusable, parse

if TYPE_CHECKING:
    from codeblue.report.terminal import Terminal
    from codeblue.sources.launch import Options

TRIALS = ("gpu", "memory", "links", "nccl", "numerics", "loader")
"""In the order in which they run."""
LIVE = ("local", "python", "docker", "podman", "pod", "pid")


class Asked(Struct, frozen=True, kw_only=True):
    """What is to be measured."""

    trials: tuple[str, ...]
    gpus: tuple[int, ...] | None = None
    touch_busy: bool = False
    small: bool = False
    paths: tuple[str, ...] = ()
    """Folders with data."""


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
        if not first.isdigit() or (dash and not last.isdigit()) or len(part) > 9:
            raise Unusable(
                message(
                    "--gpus {gpus}: write numbers such as 0,1 or 0-7",
                    "--gpus {gpus}：请写成 0,1 或 0-7 这样的编号",
                    gpus=gpus,
                )
            )
        found += range(int(first), int(last or first) + 1)
    return tuple(dict.fromkeys(found))


def live(name: str) -> Target:
    """Return the target if something can be run there. Raises Unusable."""
    target = parse(name)
    if target.kind not in LIVE:
        raise Unusable(
            message(
                "{name}: a trial runs programs, so it needs a live target: local, python:PATH, docker:NAME, "
                "podman:NAME, pod:NS/POD or pid:N",
                "{name}：需要运行程序，目标必须正在运行：local、python:路径、docker:名称、podman:名称、"
                "pod:命名空间/POD、pid:N",
                name=name,
            )
        )
    return target


def folders(paths: Sequence[str], target: Target) -> tuple[str, ...]:
    """Return the folders as the target names them. Raises Unusable for one that is not here."""
    if target.kind not in ("local", "python"):
        return tuple(paths)
    for path in paths:
        if not os.path.isdir(path):
            raise Unusable(
                message("--path {path}: there is no such folder", "--path {path}：没有这个文件夹", path=path)
            )
    return tuple(os.path.abspath(path) for path in paths)


def look(options: "Options", asked: Asked) -> "Options":
    """Return how the target is looked at, with what is to be measured."""
    from codeblue.sources.trial_text import worker

    wanted = {
        "trials": list(asked.trials),
        "gpus": list(asked.gpus) if asked.gpus else None,
        "touch_busy": asked.touch_busy,
        "small": asked.small,
        "options": {"loader": {"paths": list(asked.paths)}},
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
    return left


def judged(diagnosis: Diagnosis, snapshot: Snapshot, asked: Asked) -> Diagnosis:
    """Return the diagnosis; nothing is called healthy where a trial that was asked for did not run."""
    missing = set(left_out(snapshot, asked)) & set(asked.trials)
    if missing and diagnosis.verdict in (Overall.HEALTHY, Overall.RISK):
        return structs.replace(diagnosis, verdict=Overall.UNKNOWN)
    return diagnosis


class Screen(screen.Screen):
    """The screen of ``check`` with the table of measures."""

    def __init__(
        self, form: str, output: str | None, verbose: bool, salt: str, lang: str, asked: Asked
    ) -> None:
        super().__init__(form, output, verbose, salt, lang)
        self.asked = asked

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
        self._live.update(terminal.so_far(measures(machine), running, self.lang), refresh=True)

    def tell(self, diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str]) -> None:
        """Print the report, or write it to the file."""
        self.close()
        if self.to_person:
            self._print(self._terminal(), diagnosis, measures, left)
            return
        text = self._document(diagnosis, measures, left)
        if self.output is None:
            click.echo(text, nl=False)
            return
        self._refuse_secrets(diagnosis, self.output)
        write(self.output, text.encode())

    def _print(
        self, terminal: "Terminal", diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str]
    ) -> None:
        from codeblue.report.trial import terminal as page

        terminal.console.print(page.table(measures, self.lang))
        if left:
            terminal.console.print(page.left(left, say("not tried", "未测")))
        terminal.show(diagnosis)

    def _document(self, diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str]) -> str:
        from codeblue.report.trial import json_v1, junit, prometheus

        if self.form == "json":
            return json_v1.render(diagnosis, measures, left, self.lang)
        if self.form == "junit":
            return junit.render(diagnosis, measures, left, self.lang)
        if self.form == "prometheus":
            return prometheus.render(diagnosis, measures)
        from io import StringIO

        page = StringIO()
        self._print(self._terminal(page, screen.WIDE), diagnosis, measures, left)
        return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
