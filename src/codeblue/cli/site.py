"""Join the site's file with the options of a verb that looks at a target; the command line wins."""

import os
from typing import TYPE_CHECKING

from codeblue.sources.site import Loaded
from codeblue.sources.site import load as load_file

if TYPE_CHECKING:
    from codeblue.sources.launch import Options

BUDGET = 30.0
"""Seconds."""


def load(path: str | None) -> Loaded:
    """Return what the site expects and accepts. Raises Unusable."""

    from codeblue.sources.target import working_folder

    working_folder()

    def faults() -> list[str]:
        from codeblue.faults import index

        return list(index.entries())

    return load_file(path, faults)


def look(
    config: Loaded,
    as_user: str | None,
    budget: float | None,
    until: str = "frameworks",
    next_boot: bool = False,
) -> "Options":
    """Return how the target is to be looked at. Raises Unusable if the user cannot be judged.

    The site's user is for root alone, who sees no permission fault; other people judge for themselves.
    """
    from codeblue.sources.launch import Options
    from codeblue.sources.target import judged_user, working_folder
    from codeblue.state import salt

    given = config.site.check
    user = judged_user(as_user) if as_user else None
    if user is None and given.as_user and os.getuid() == 0:
        user = judged_user(given.as_user, f"{config.path}: check.as-user")
    return Options(
        as_user=user,
        budget=budget or given.budget or BUDGET,
        until=until,
        salt=salt(),
        cwd=working_folder(),
        next_boot=next_boot,
    )
