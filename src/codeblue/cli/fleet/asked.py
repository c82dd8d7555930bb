"""Options of the verbs that ask kept runs."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from codeblue.cli.language import say

F = TypeVar("F", bound=Callable[..., Any])


def config(function: F) -> F:
    """Accept the file that says what the site expects and accepts."""
    return click.option(
        "--config",
        metavar="FILE",
        help=say(
            "What the site expects and accepts; else codeblue.toml here, in the user's or the system's "
            "configuration.",
            "站点的期望与豁免；缺省依次查找当前目录、用户配置和系统配置中的 codeblue.toml。",
        ),
    )(function)


def form(*names: str) -> Callable[[F], F]:
    """Accept the form of the answer, the first one by default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help=say("Form of the answer.", "结果的形式。"),
    )
