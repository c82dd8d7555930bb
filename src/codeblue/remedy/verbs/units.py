"""Units of systemd that are files: after a change systemd goes on with what it has read before."""

import os
from collections.abc import Iterable

from codeblue.remedy.files.validators.systemd import FOLDERS, unit_of
from codeblue.remedy.run import change
from codeblue.remedy.verbs.services import RUNNING_SYSTEMD

RELOAD = ("systemctl", "daemon-reload")


def read_again(paths: Iterable[str]) -> None:
    """Have systemd read its units again if one of these files belongs to one. Raises Failed."""
    if concerned(paths):
        change(RELOAD, seconds=90)


def concerned(paths: Iterable[str]) -> bool:
    """Return whether systemd runs and one of these files belongs to a unit of the system."""
    return os.path.isdir(RUNNING_SYSTEMD) and any(_unit(path) for path in paths)


def _unit(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and unit_of(path) is not None
