"""Are the handlers there that tasks call?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ansible import Play
from codeblue.model.config.node import Node
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


@rule("ansible-handler-missing")
def handlers_exist(play: Play) -> Iterator[Problem]:
    """A play that brings in no roles and no other files has every handler itself."""
    known = _known(play)
    if not play.complete or any("{{" in name for name in known):
        return
    for task in play.all:
        for name in task.notifies:
            if name.kind == "string" and name.text not in known and "{{" not in name.text:
                yield Problem(
                    place=name.place,
                    message=message(
                        "no handler is called {name}: the task fails when it changes something",
                        "没有名为 {name} 的 handler：任务一旦产生变更就会失败",
                        name=name.text,
                    ),
                    fix=_renamed(name, known),
                )


def _known(play: Play) -> set[str]:
    """Return what handlers are called, and what they listen to."""
    known = {one.name for one in play.handlers}
    for one in play.handlers:
        listens = one.root.get("listen")
        known |= {name.text for name in (listens.items or [listens])} if listens else set()
    return known


def _renamed(name: Node, known: set[str]) -> Fix | None:
    near = [one for one in known if one.lower() == name.text.lower()]
    if len(near) != 1:
        return None
    return Fix(
        message("write {name}", "改为 {name}", name=near[0]),
        (Edit(name.place, f"{name.style}{near[0]}{name.style}"),),
        safe=True,
    )


RULES = (handlers_exist,)
