"""Options of the engine Ray."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from codeblue.cli.language import say

F = TypeVar("F", bound=Callable[..., Any])


def of_ray(function: F) -> F:
    """Accept the options of Ray."""
    address = click.option(
        "--ray",
        metavar="ADDRESS",
        help=say(
            "The nodes of a Ray cluster: auto for the one of this machine, HOST:PORT or ray://HOST:PORT.",
            "Ray 集群的节点：auto 表示本机所属的集群，也可写 主机:端口 或 ray://主机:端口。",
        ),
    )
    python = click.option(
        "--ray-python",
        metavar="PATH",
        help=say(
            "Interpreter that has the cluster's ray; default is the one of your jobs.",
            "装有该集群 ray 的解释器；缺省为作业使用的解释器。",
        ),
    )
    return address(python(function))
