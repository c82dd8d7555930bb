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
        default=30.0,
        show_default=True,
        help=say("Time the probe may take.", "探针可用的时间。"),
    )
    return user(budget(function))
