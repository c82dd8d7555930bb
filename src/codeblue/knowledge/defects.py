"""Confirmed defects by version: which rows of the table ``known_bad`` concern a release."""

import re
from typing import Any

from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older, parts

_CLAUSE = re.compile(r"(==|<=|>=|<|>)(\d+(?:\.\d+)*)(?:\.\*)?")
_BEFORE = re.compile(r"(\d+) releases before ([\d.]+)")


def affecting(component: str, version: str) -> list[dict[str, Any]]:
    """Return the rows of the defects that this version of a component has.

    A row whose ``affected`` is only words concerns no version here.
    Raises ValueError if the version does not begin with a number.
    """
    rows = table("known_bad")["rows"]
    return [row for row in rows if row["component"] == component and is_affected(row["affected"], version)]


def is_affected(affected: str, version: str) -> bool:
    """Return whether ``affected`` (``>=2.13,<2.17``, ``==2.9.0,==2.9.1``) covers the version.

    Equal versions are alternatives, bounds hold together. A shorter version stands for all releases that
    begin with it.
    Raises ValueError if the version does not begin with a number.
    """
    if before := _BEFORE.match(affected):
        return parts(version)[0] == int(before[1]) and older(version, before[2])
    if not _CLAUSE.match(affected):
        return False
    clauses = _CLAUSE.findall(affected.split(" ", maxsplit=1)[0])
    equal = [bound for sign, bound in clauses if sign == "=="]
    if equal:
        return any(_begins(version, bound) for bound in equal)
    return all(_holds(version, sign, bound) for sign, bound in clauses)


def _holds(version: str, sign: str, bound: str) -> bool:
    if sign == "<":
        return older(version, bound)
    if sign == "<=":
        return older(version, bound) or _begins(version, bound)
    if sign == ">":
        return older(bound, version) and not _begins(version, bound)
    return not older(version, bound)


def _begins(version: str, bound: str) -> bool:
    wanted = parts(bound)
    return (*parts(version), *(0 for _ in wanted))[: len(wanted)] == wanted
