"""Are the handlers there that tasks call?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ansible import Play
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


@rule("ansible-handler-missing")
def handlers_exist(play: Play) -> Iterator[Problem]:
    """A play that brings in no roles and no other files has every handler itself."""
    if not play.complete:
        return
    known = {one.name for one in play.handlers}
    known |= {
        name.text
        for one in play.handlers
        if (listens := one.root.get("listen")) is not None
        for name in (listens.items or [listens])
    }
    if any("{{" in name for name in known):
        return
    for task in play.all:
        for name in task.notifies:
            if name.kind == "string" and name.text not in known and "{{" not in name.text:
                near = [one for one in known if one.lower() == name.text.lower()]
                yield Problem(
                    place=name.place,
                    message=message(
                        "no handler is called {name}: the task fails when it changes something",
                        "没有名为 {name} 的 handler：任务一旦产生变更就会失败",
                        name=name.text,
                    ),
                    fix=Fix(
                        message("write {name}", "改为 {name}", name=near[0]),
                        (Edit(name.place, f"{name.style}{near[0]}{name.style}"),),
                        safe=True,
                    )
                    if len(near) == 1
                    else None,
                )


RULES = (handlers_exist,)
