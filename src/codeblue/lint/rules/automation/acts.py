"""What later tasks of a play do."""

import re
from collections.abc import Iterator

from codeblue.model.config.ansible import Play, Task


def text_of(task: Task) -> str:
    """Return the command of a task, or its module and arguments, as one text."""
    if task.free is not None:
        return task.free.text
    return " ".join(
        (task.module, *(node.text for _, node in task.arguments), *(one.text for one in task.items))
    )


def later(play: Play, task: Task) -> Iterator[Task]:
    """Yield the tasks behind one, and every handler."""
    at = play.tasks.index(task) + 1 if task in play.tasks else len(play.tasks)
    yield from play.tasks[at:]
    yield from (one for one in play.handlers if one is not task)


def acts(play: Play, task: Task, pattern: re.Pattern[str]) -> bool:
    """Tell whether a later task fits, or one that cannot be seen may: what it notifies, or another file."""
    if play.included and task in play.handlers:
        return True
    if play.included and task.notifies:
        return True
    if not play.complete and not play.included:
        return True
    named = {one.text for one in task.notifies}
    return any(
        pattern.search(text_of(one))
        or one.module in ELSEWHERE
        # What a variable makes of it cannot be seen here.
        or (one.name in named and "{{" in text_of(one))
        for one in later(play, task)
    )


ELSEWHERE = frozenset({"include", "include_role", "import_role", "include_tasks", "import_tasks"})


def file_of(task: Task) -> str:
    """Return the file that a task writes; empty if it writes none."""
    if task.module not in (
        "copy",
        "template",
        "lineinfile",
        "blockinfile",
        "replace",
        "file",
        "ini_file",
        "get_url",
    ):
        return ""
    if task.module == "file" or task.say("state") == "absent":
        return ""
    return task.say("path", "dest", "destfile", "name")
