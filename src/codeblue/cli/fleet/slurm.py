"""Options of the engine Slurm."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from codeblue.cli.language import say

if TYPE_CHECKING:
    from codeblue.fleet.engines.base import Engine

F = TypeVar("F", bound=Callable[..., Any])


class Slurm(Struct, frozen=True, kw_only=True):
    """What the user named of a cluster."""

    partition: str | None = None
    slurm_nodes: tuple[str, ...] = ()
    idle_only: bool = False
    exclusive: bool = False
    without_gpu: bool = False

    def named(self, slurm: bool) -> bool:
        """True if Slurm was asked for. Raises UsageError for its options without it."""
        if not slurm and self != Slurm():
            raise click.UsageError(
                say(
                    "-p, --slurm-nodes, --idle-only, --exclusive and --without-gpu go with --slurm",
                    "-p、--slurm-nodes、--idle-only、--exclusive、--without-gpu 须与 --slurm 一起使用",
                )
            )
        return slurm

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user wrote, for the record of the run."""
        return (*([f"partition {self.partition}"] if self.partition else []), *self.slurm_nodes)

    def engine(self, python: str | None) -> "Engine":
        """Return the engine."""
        from codeblue.fleet.engines import slurm

        return slurm.Slurm(
            self.partition,
            self.slurm_nodes,
            idle_only=self.idle_only,
            exclusive=self.exclusive,
            without_gpu=self.without_gpu,
            python=python,
        )


def of_slurm(function: F) -> F:
    """Accept the options of Slurm."""
    for option in reversed(_options()):
        function = option(function)
    return function


def _options() -> list[Callable[[F], F]]:
    return [
        click.option(
            "--slurm", is_flag=True, help=say("The nodes of a Slurm cluster.", "Slurm 集群的节点。")
        ),
        click.option(
            "-p",
            "--partition",
            metavar="NAME",
            help=say("Only those of a partition.", "只看某个分区的节点。"),
        ),
        click.option(
            "--slurm-nodes",
            multiple=True,
            metavar="NODES",
            help=say("Only these, such as gpu[001-128].", "只看这些节点，如 gpu[001-128]。"),
        ),
        click.option(
            "--idle-only",
            is_flag=True,
            help=say(
                "Leave out nodes on which anybody is at work; else those with room are read without a GPU.",
                "不看有人在用的节点；缺省时，还有余量的节点会在不占 GPU 的情况下读取。",
            ),
        ),
        click.option(
            "--exclusive",
            is_flag=True,
            help=say(
                "Take whole idle nodes, so that nobody else starts there.",
                "独占整个空闲节点，期间不让他人使用。",
            ),
        ),
        click.option(
            "--without-gpu",
            is_flag=True,
            help=say(
                "Ask for no GPU: hardware, driver, limits and packages are read, nothing is run on a GPU.",
                "不申请 GPU：只读取硬件、驱动、限制和软件包，不在 GPU 上运行任何程序。",
            ),
        ),
    ]
