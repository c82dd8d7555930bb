"""Names that libraries have changed or given up."""

from collections.abc import Iterator

from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import older
from codeblue.lint.rule import rule
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

ALIAS = "PYTORCH_CUDA_ALLOC_CONF"
"""PyTorch documents that it goes on working under this name."""
OLDEST_IN_USE = "2.14"
"""NCCL of torch 1.13; what was given up before it, nobody reads."""


@rule("env-name-deprecated")
def names_are_current(settings: Settings) -> Iterator[Problem]:
    """Names that torch has moved, and those that no NCCL in use reads."""
    names = {one.name for one in settings.settings}
    for one in settings.settings:
        row = by_key("nccl_env", "name").get(one.name)
        if row is None or one.name == ALIAS:
            continue
        new = row.get("replaced_by")
        if new and row.get("deprecated_since") and new not in names:
            yield _renamed(one, new, row["lib"], row["deprecated_since"])
        elif row["lib"] == "nccl" and "last" in row and older(row["last"], OLDEST_IN_USE):
            yield _withdrawn(one, row["last"], new)


@rule("env-name-deprecated", pedantic=True)
def alias_is_current(settings: Settings) -> Iterator[Problem]:
    """The old name of the allocator's settings, which torch 2.9 to 2.11 warn of."""
    names = {one.name for one in settings.settings}
    for one in settings.settings:
        if one.name == ALIAS and "PYTORCH_ALLOC_CONF" not in names:
            yield _renamed(one, "PYTORCH_ALLOC_CONF", "torch", "2.9.0")


def _renamed(one: Setting, new: str, library: str, since: str) -> Problem:
    return Problem(
        place=one.place,
        variant="renamed",
        message=message(
            "{name} is called {new} since {library} {since}",
            "从 {library} {since} 起，{name} 改名为 {new}",
            name=one.name,
            new=new,
            library=library,
            since=since,
        ),
        certainty=Certainty.CERTAIN,
        fix=Fix(message("write {new}", "改为 {new}", new=new), (Edit(one.place, new),)),
    )


def _withdrawn(one: Setting, last: str, new: str | None) -> Problem:
    return Problem(
        place=one.place,
        variant="withdrawn",
        message=message(
            "{name} has no effect: NCCL {last} was the last to read it; look at {new}",
            "{name} 不起作用：NCCL {last} 是最后一个读取它的版本；可改看 {new}",
            name=one.name,
            last=last,
            new=new,
        )
        if new
        else message(
            "{name} has no effect: NCCL {last} was the last to read it",
            "{name} 不起作用：NCCL {last} 是最后一个读取它的版本",
            name=one.name,
            last=last,
        ),
        certainty=Certainty.CERTAIN,
    )


RULES = (names_are_current, alias_is_current)
