"""Options that several verbs share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from codeblue.cli.language import LANGUAGES, say

F = TypeVar("F", bound=Callable[..., Any])


def lang(function: F) -> F:
    """Accept ``--lang`` after the verb too; it has been read in cli.language."""
    option = click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help=say("Language of the output.", "输出语言。"),
    )
    return option(function)


def looking(function: F) -> F:
    """Accept how a live target is looked at."""
    user = click.option(
        "--as-user",
        metavar="USER",
        help=say("Judge access for this user (needs root).", "以该用户的身份判断权限（需要 root）。"),
    )
    budget = click.option(
        "--budget",
        metavar="SECONDS",
        type=click.FloatRange(1, 3600),
        show_default="30",
        help=say("Time the probe may take.", "探针可用的时间。"),
    )
    site = click.option(
        "--config",
        metavar="FILE",
        help=say(
            "What the site expects and accepts; else codeblue.toml here, in the user's or the system's "
            "configuration.",
            "站点的期望与豁免；缺省依次查找当前目录、用户配置和系统配置中的 codeblue.toml。",
        ),
    )
    return user(budget(site(function)))
