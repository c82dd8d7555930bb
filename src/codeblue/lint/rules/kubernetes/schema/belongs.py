"""Where a field belongs that its object does not have."""

from typing import NamedTuple

from codeblue.knowledge import kubernetes
from codeblue.knowledge.kubernetes import Field, Route, Type
from codeblue.lint.rules.kubernetes.schema.walk import Level, Unknown
from codeblue.model.config.node import Node

SHORT = 5
"""Letters of a name in which two slips make another word."""
TELLING = 3
"""Letters that tell of which name they are the beginning or end."""
RESOURCES = ("cpu", "memory", "ephemeral-storage")


class Spelt(NamedTuple):
    """The object has it under a name that is written a little differently."""

    right: str


class Above(NamedTuple):
    """An object around it has it."""

    home: Level


class Below(NamedTuple):
    """It is a field of something inside of an object around it, or of its own."""

    home: Type
    """The object in whose field the route begins."""
    route: Route
    start: Level


def belongs(found: Unknown) -> Spelt | Above | Below | None:
    """Return where a field belongs; None if that cannot be told."""
    own = found.trail[-1]
    name = found.key.text
    folded = {field.casefold(): field for field in own.type.fields}.get(name.casefold())
    if folded is not None:
        return Spelt(folded)
    if own.type.name == "ResourceRequirements" and ("/" in name or name in RESOURCES):
        return Below(own.type, ("limits", name), own)
    meant = _demanded(found)
    if meant is not None:
        return Spelt(meant)
    child = _beside_kin(found, own)
    if child is not None and len(child.route) == len(("child", name)):
        return child
    for level in reversed(found.trail[:-1]):
        field = level.type.fields.get(name)
        if field is not None and not field.until and _takes(field, found.value):
            return Above(level)
    right = _near(name, own.type, found.value)
    return Spelt(right) if right else _inside(found)


def _demanded(found: Unknown) -> str | None:
    """Return the one field that the object must have, has not, and whose beginning or end is the name."""
    own, name = found.trail[-1], found.key.text.casefold()
    if len(name) < TELLING:
        return None
    given = own.node.keys()
    missing = [field for field in own.type.required if field not in given]
    near = [
        field for field in missing if field.casefold().startswith(name) or field.casefold().endswith(name)
    ]
    fitting = [field for field in near if _takes(own.type.fields[field], found.value)]
    return fitting[0] if len(fitting) == 1 else None


def _inside(found: Unknown) -> Below | None:
    """Look inside of the object itself, then beside it for the one place that has such a field."""
    return next((home for level in reversed(found.trail) if (home := _beside_kin(found, level))), None)


def _beside_kin(found: Unknown, level: Level) -> Below | None:
    """Return the one place below a level that has such a field.

    Below an object around the field's own only what has the same name counts, as the ``securityContext`` of
    the pod and of a container.
    """
    own = found.trail[-1]
    routes = [
        route
        for route in kubernetes.routes(level.type.name, found.key.text)
        if (level is own or own.under in route[:-1]) and _takes(_field(level.type, route), found.value)
    ]
    # Ordinary containers before those that run first or are added for debugging.
    routes = [route for route in routes if "containers[]" in route] or routes
    return Below(level.type, routes[0], level) if len(routes) == 1 else None


def _field(start: Type, route: Route) -> Field:
    kind = start
    for step in route[:-1]:
        kind = kubernetes.named(kind.fields[step.removesuffix("[]")].type)
    return kind.fields[route[-1]]


def _takes(field: Field, value: Node) -> bool:
    """Tell whether a value has the form that a field takes."""
    form = value.kind if value.kind in ("map", "list") else "scalar"
    return value.kind == "null" or not field.form or field.form == form


def _near(name: str, kind: Type, value: Node) -> str | None:
    """Return the one field that a slip of the fingers turns into this name, or whose end was left out."""
    longer = [field for field, one in kind.fields.items() if field.startswith(name) and _takes(one, value)]
    if len(name) > SHORT and len(longer) == 1:
        return longer[0]
    most = 1 if len(name) <= SHORT else 2
    near = [
        field
        for field, one in kind.fields.items()
        if abs(len(field) - len(name)) <= most and _takes(one, value) and _may_be(name, field, most)
    ]
    return near[0] if len(near) == 1 else None


def _may_be(name: str, field: str, most: int) -> bool:
    """Tell whether so many slips make one name of another; letters that differ are counted first."""
    differing = len(set(name) ^ set(field))
    return differing <= 2 * most and _distance(name, field) <= most


def _distance(one: str, other: str) -> int:
    """Return how many letters have to be changed, added or taken out; swapped neighbours count once."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        now = [row]
        for column, letter_of in enumerate(other, start=1):
            best = min(last[column] + 1, now[-1] + 1, last[column - 1] + (letter != letter_of))
            if row > 1 and column > 1 and (letter, one[row - 2]) == (other[column - 2], letter_of):
                best = min(best, before[column - 2] + 1)
            now.append(best)
        before, last = last, now
    return last[-1]
