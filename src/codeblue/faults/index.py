"""The built index of the catalogue: enough to list and select faults without importing them."""

from functools import cache
from importlib import import_module, resources

import msgspec

from codeblue.model.entry import Entry
from codeblue.model.fault import Fault


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
