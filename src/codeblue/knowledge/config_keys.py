"""Keys that programs read from their configuration files, and what a misspelt one was meant to be."""

from functools import cache
from typing import Any

from codeblue.knowledge.near import one_apart
from codeblue.knowledge.tables import table


@cache
def keys(program: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a program's keys by name, e.g. those of ``dockerd``."""
    return {row["name"]: row for row in table("config_keys")["rows"] if row["program"] == program}


@cache
def folded(program: str) -> dict[str, str]:
    """Return the names by themselves in small letters, for programs that do not mind the case."""
    return {name.lower(): name for name in keys(program)}


@cache
def meant(program: str, name: str, *, any_case: bool = False) -> str | None:
    """Return the key that an unknown one was meant to be; None if it is known or that cannot be told.

    The case is wrong, ``_`` stands for ``-`` or the other way round, or one letter is missing, too much,
    another one, or two of them are swapped.
    """
    known = keys(program)
    plain = folded(program)
    if name in known or (any_case and name.lower() in plain):
        return None
    if name.lower() in plain:
        return plain[name.lower()]
    for other in (name.replace("_", "-"), name.replace("-", "_")):
        if other.lower() in plain:
            return plain[other.lower()]
    near = [right for small, right in plain.items() if len(small) > 3 and one_apart(small, name.lower())]
    return near[0] if len(near) == 1 else None
