"""Options of the engine Kubernetes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from codeblue.cli.language import say

if TYPE_CHECKING:
    from codeblue.fleet.engines.kubernetes.engine import Kubernetes as Engine

F = TypeVar("F", bound=Callable[..., Any])


class Kubernetes(Struct, frozen=True, kw_only=True):
    """What the user named of a cluster."""

    selector: str | None = None
    namespace: str | None = None
    context: str | None = None
    image: str | None = None
    start: float | None = None
    cordoned: bool = False
    tolerate: tuple[str, ...] = ()
    render: bool = False
    without_gpu: bool = False

    def named(self, kubernetes: bool) -> bool:
        """True if Kubernetes was asked for. Raises UsageError for its options without it."""
        if not kubernetes and self != Kubernetes():
            raise click.UsageError(
                say(
                    "-l, --namespace, --context, --image, --start, --cordoned, --tolerate and --render go "
                    "with --kubernetes",
                    "-l、--namespace、--context、--image、--start、--cordoned、--tolerate、--render "
                    "须与 --kubernetes 一起使用",
                )
            )
        return kubernetes

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user wrote, for the record of the run."""
        told = {"context": self.context, "selector": self.selector}
        return tuple(f"{name} {value}" for name, value in told.items() if value)

    def engine(self, python: str | None) -> "Engine":
        """Return the engine."""
        from codeblue.fleet.engines.kubernetes import engine

        names = ("namespace", "context", "selector", "image", "start")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        asked = engine.Asked(
            without_gpu=self.without_gpu,
            cordoned=self.cordoned,
            tolerate=self.tolerate,
            python=python,
            **given,
        )
        return engine.Kubernetes(asked, self._left_over)

    def _left_over(self, run: str) -> None:
        """Say how to remove what a run has left behind that was killed."""
        where = f" -n {self.namespace}" if self.namespace else ""
        where += f" --context {self.context}" if self.context else ""
        command = (
            f"kubectl delete jobs -l codeblue/run={run}{where}; kubectl delete secret codeblue-{run}{where}"
        )
        line = say(
            f"a run that was killed has left something behind; to remove it: {command}",
            f"某次被强行终止的运行留下了对象；清理命令：{command}",
        )
        click.echo(line, err=True)


def of_kubernetes(function: F) -> F:
    """Accept the options of Kubernetes."""
    for option in reversed(_options()):
        function = option(function)
    return function


def _options() -> list[Callable[[F], F]]:
    return [
        click.option(
            "--kubernetes",
            is_flag=True,
            help=say("The nodes of a Kubernetes cluster, by kubectl.", "Kubernetes 集群的节点。"),
        ),
        click.option(
            "-l",
            "--selector",
            metavar="LABELS",
            help=say(
                "Only nodes with these labels, such as nvidia.com/gpu.present=true.",
                "只看带这些标签的节点，如 nvidia.com/gpu.present=true。",
            ),
        ),
        click.option(
            "--namespace",
            metavar="NAME",
            help=say(
                "Where the Jobs are made; else kubectl's own.", "Job 所在的命名空间；缺省用 kubectl 的。"
            ),
        ),
        click.option(
            "--context",
            metavar="NAME",
            help=say("Context of kubectl; else its current one.", "kubectl 的 context；缺省用当前的。"),
        ),
        click.option(
            "--image",
            metavar="IMAGE",
            help=say(
                "Image with Python 3.6 or later: best the one of the jobs. Default: python:3.12-slim.",
                "带 Python 3.6 或更高的镜像，最好就是作业用的镜像。缺省：python:3.12-slim。",
            ),
        ),
        click.option(
            "--start",
            type=click.FloatRange(1, 3600),
            metavar="SECONDS",
            help=say(
                "Time for placing a pod and pulling its image; default 60.",
                "调度 pod 和拉取镜像的时限（秒）；缺省 60。",
            ),
        ),
        click.option("--cordoned", is_flag=True, help=say("Also cordoned nodes.", "也看已 cordon 的节点。")),
        click.option(
            "--tolerate",
            multiple=True,
            metavar="KEY",
            help=say(
                "Also nodes with a NoSchedule taint of this key; nvidia.com/gpu is always tolerated.",
                "也看带此键 NoSchedule 污点的节点；nvidia.com/gpu 总是容忍。",
            ),
        ),
        click.option(
            "--render",
            is_flag=True,
            help=say("Only print what would be made in the cluster.", "只打印将在集群中创建的对象，不执行。"),
        ),
    ]
