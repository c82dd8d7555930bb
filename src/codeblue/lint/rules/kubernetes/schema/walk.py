"""What a manifest says that the type of its kind does not: found in one walk, told apart by the rules."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from codeblue.knowledge import kubernetes
from codeblue.knowledge.kubernetes import Field, Type
from codeblue.model.config.kubernetes import Manifest
from codeblue.model.config.node import Node

TEMPLATED = re.compile(r"[${}<>%@#]|^[A-Z][A-Z0-9_]*$")
"""In a value: somebody else fills it in."""
LETTERS = ("y", "Y", "n", "N")
"""Truth values for the YAML reader of Kubernetes, and for hardly any other."""
YES = frozenset({"true", "yes", "on", "y", "false", "no", "off", "n"})
QUANTITY = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$")
DEFINED = {
    "kubeflow.org": ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob"),
    "ray.io": ("RayCluster", "RayJob", "RayService"),
    "jobset.x-k8s.io": ("JobSet",),
    "leaderworkerset.x-k8s.io": ("LeaderWorkerSet",),
    "batch.volcano.sh": ("Job",),
    "argoproj.io": ("Rollout",),
}
"""Custom kinds whose pod templates are those of the API; others only look alike."""


class Level(NamedTuple):
    """An object on the way to a place."""

    node: Node
    type: Type
    under: str
    """The field in which it stands."""


Trail = tuple[Level, ...]


class Unknown(NamedTuple):
    """A field that its object does not have."""

    key: Node
    value: Node
    trail: Trail


class Unfit(NamedTuple):
    """A value of another form or type than its field takes."""

    key: Node
    """The field; of a list or map, the field that holds it."""
    value: Node
    field: Field
    wanted: str
    """``list``, ``map``, or a scalar type."""
    owner: Type


class Foreign(NamedTuple):
    """A value that is none of those that a field may have."""

    key: Node
    value: Node
    allowed: tuple[str, ...]


class Missing(NamedTuple):
    """An object without a field that every version demands."""

    field: str
    trail: Trail


class Newer(NamedTuple):
    """A field that older versions do not have."""

    key: Node
    since: str
    owner: Type


Oddity = Unknown | Unfit | Foreign | Missing | Newer


def oddities(manifest: Manifest) -> Iterator[Oddity]:
    """Yield what does not fit, of the whole object, or of the pod templates of a custom one."""
    whole = kubernetes.kind(manifest.api, manifest.kind)
    if whole is not None:
        yield from walked(manifest.root, whole.name)
    elif manifest.kind in DEFINED.get(manifest.api.partition("/")[0], ()):
        for template in manifest.templates:
            yield from walked(template, "PodTemplateSpec")


@lru_cache(maxsize=8)
def walked(root: Node, whole: str) -> tuple[Oddity, ...]:
    """Return all oddities of a map as the type of a name. Several rules ask for those of one in turn."""
    return tuple(_Walk().map(root, (Level(root, kubernetes.named(whole), ""),)))


class _Walk:
    """One walk; an object that aliases repeat is judged once as each type."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, str]] = set()

    def map(self, node: Node, trail: Trail) -> Iterator[Oddity]:
        kind = trail[-1].type
        if (id(node), kind.name) in self._seen:
            return
        self._seen.add((id(node), kind.name))
        given = set()
        for key, value in node.pairs:
            given.add(key.text)
            if key.kind in ("map", "list") or key.text.startswith("$"):
                # A template's braces, or a directive of a patch.
                continue
            field = kind.fields.get(key.text)
            if field is None or field.until:
                yield Unknown(key, value, trail)
                continue
            if field.since:
                yield Newer(key, field.since, kind)
            yield from self._field(key, value, field, trail)
        for name in kind.required:
            if name not in given:
                yield Missing(name, trail)

    def _field(self, key: Node, value: Node, field: Field, trail: Trail) -> Iterator[Oddity]:
        if not field.shape:
            yield from self._one(key, value, field, trail)
        elif value.kind != field.shape:
            if not _is_open(value):
                yield Unfit(key, value, field, field.shape, trail[-1].type)
        elif field.shape == "list":
            for item in value.items:
                yield from self._one(key, item, field, trail)
        elif not _is_open(value):
            for name, item in value.pairs:
                yield from self._one(name, item, field, trail)

    def _one(self, key: Node, value: Node, field: Field, trail: Trail) -> Iterator[Oddity]:
        if field.type in kubernetes.SCALARS:
            yield from _scalar(key, value, field, trail[-1].type)
        elif field.type == "any" or _is_open(value):
            return
        elif value.kind != "map":
            yield Unfit(key, value, field, "map", trail[-1].type)
        else:
            yield from self.map(value, (*trail, Level(value, kubernetes.named(field.type), key.text)))


def _scalar(key: Node, value: Node, field: Field, owner: Type) -> Iterator[Oddity]:
    if not fits(value, field.type):
        if not _is_open(value):
            yield Unfit(key, value, field, field.type, owner)
        return
    allowed = kubernetes.values(owner.name, key.text)
    if allowed and value.text not in ("", *allowed) and not _is_open(value):
        yield Foreign(key, value, allowed)


def _is_open(value: Node) -> bool:
    """Tell whether a value is not there yet: nothing, a template's braces, a name that somebody replaces."""
    if value.kind == "map":
        return any(key.kind == "map" for key, _ in value.pairs)
    return value.kind == "null" or (value.kind == "string" and bool(TEMPLATED.search(value.text)))


def fits(value: Node, wanted: str) -> bool:
    """Tell whether a scalar is of a type, as the YAML reader of Kubernetes sees it."""
    kind = "boolean" if value.text in LETTERS and not value.style else value.kind
    if kind in ("map", "list"):
        return False
    if wanted == "string":
        return kind == "string"
    if wanted == "boolean":
        return kind == "boolean" and value.text.lower() in YES
    if wanted == "quantity":
        return kind in ("integer", "float", "string") and bool(QUANTITY.match(value.text.replace("_", "")))
    if wanted == "int-or-string":
        return kind in ("integer", "string")
    return kind == "integer" or (kind == "float" and (wanted == "number" or _is_whole(value.text)))


def _is_whole(text: str) -> bool:
    try:
        return float(text.replace("_", "")).is_integer()
    except ValueError:
        return False
