"""The built index of the catalogue: enough to list and select faults without importing them."""

from functools import cache
from importlib import import_module, resources

import msgspec

from codeblue.model.fault import Fault, Kind, Reference, Severity, Signature
from codeblue.model.layers import Layer
from codeblue.model.remedy import Remedy
from codeblue.model.text import Text


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One fault as the index knows it. ``place`` is its path below this package, without ending."""

    id: str
    place: str
    title: Text
    layer: Layer | None
    kind: Kind
    severity: Severity
    explains: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Sections that the check needs; empty for faults that only have signatures."""
    references: tuple[Reference, ...] = ()
    signatures: tuple[Signature, ...] = ()
    remedy: Remedy | None = None
    next_command: str | None = None
    coded: bool
    """True if the fault has a Python check."""


@cache
def entries() -> dict[str, Entry]:
    """Return the whole index by fault id, in the order of the catalogue."""
    text = resources.files(__package__).joinpath("index.json").read_bytes()
    return {entry.id: entry for entry in msgspec.json.decode(text, type=list[Entry])}


def load(entry: Entry) -> Fault:
    """Return the fault, importing its module if it has a check."""
    if entry.coded:
        module = import_module(f"{__package__}.{entry.place.replace('/', '.')}")
        found: Fault = getattr(module, entry.id.replace("-", "_"))
        return found
    return Fault(
        id=entry.id,
        title=entry.title,
        layer=entry.layer,
        kind=entry.kind,
        severity=entry.severity,
        explains=entry.explains,
        references=entry.references,
        signatures=entry.signatures,
        remedy=entry.remedy,
        next_command=entry.next_command,
    )


def explains() -> dict[str, tuple[str, ...]]:
    """Return for every fault the faults that it explains."""
    return {entry.id: entry.explains for entry in entries().values()}


def page(fault: str, lang: str) -> str:
    """Return the fault's page in Markdown, without its title.

    Raises KeyError if there is no such fault.
    """
    entry = entries()[fault]
    if lang == "zh":
        return _resource(f"{entry.place}.zh.md")
    if entry.coded:
        return _docstring(_resource(f"{entry.place}.py"))
    return _resource(f"{entry.place}.md").split("+++\n", 2)[2].strip() + "\n"


def _resource(path: str) -> str:
    return resources.files(__package__).joinpath(path).read_text(encoding="utf-8")


def _docstring(source: str) -> str:
    return source.split('"""', 2)[1].strip() + "\n"
