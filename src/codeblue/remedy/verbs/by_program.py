"""What verbs have in common that change the machine through a program of the system."""

import os
from collections.abc import Collection, Mapping, Sequence

from codeblue.model.plan import Args, Before, Refused
from codeblue.model.text import Message, Text, message
from codeblue.remedy.actions import Keep


class ByProgram:
    """The parts of a verb that are the same where a program does the work."""

    def root(self, args: Args) -> bool:
        """Return whether this user is not root."""
        return os.geteuid() != 0

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Refuse: there is no way back. Verbs that have one say so themselves."""
        raise Refused(message("this cannot be taken back", "这一步无法撤销"))

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return no command."""
        return ()

    def sweep(self, args: Args, name: str) -> None:
        """Remove nothing: these verbs write nothing beside a target."""


def wanted(args: Args, name: str) -> str:
    """Return an argument. Raises Refused if it is missing, or if a program would take it for an option."""
    value = args.get(name, "")
    if not value or value.startswith("-") or "\0" in value:
        raise Refused(
            message(
                "the step has no usable {name}: {value}",
                "这一步没有可用的 {name}：{value}",
                name=name,
                value=repr(value),
            )
        )
    return value


def changing(
    versions: Mapping[str, tuple[str, str]], gone: Collection[str], no_way_back: Text
) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """Return the changes of versions as lines of a preview; those that cannot be taken back in words."""
    lines = {name: f"{name} {old or '-'} -> {new or '-'}" for name, (old, new) in versions.items()}
    shows = tuple(line for name, line in lines.items() if name not in gone)
    return shows, tuple(
        Message(no_way_back, {"change": line}) for name, line in lines.items() if name in gone
    )


def unchanged(before: Before, now: Before, what: str) -> None:
    """Raise Refused if what the preview saw is not what is there now."""
    if before == now:
        return
    raise Refused(
        message(
            "{what} is no longer as the preview saw it; make a new plan",
            "{what} 已与预览时不同；请重新生成计划",
            what=what,
        )
    )


def foreign(what: str) -> Refused:
    """Return the refusal to take back what somebody else has changed meanwhile."""
    return Refused(
        message(
            "{what} has been changed since; nothing is taken back",
            "{what} 之后又被改动过；不做撤销",
            what=what,
        )
    )
