"""The built index of the catalogue: enough to list and select faults without importing them."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import get_data

import msgspec

from codeblue.model.entry import Entry
from codeblue.model.fault import Check, Fault, Hit


@cache
def entries() -> dict[str, Entry]:
    """Return the whole index by fault id, in the order of the catalogue."""
    return {entry.id: entry for entry in msgspec.json.decode(_bytes("index.json"), type=list[Entry])}


def load(entry: Entry) -> Fault:
    """Return the fault, importing its module if it has a check.

    A module that cannot be imported gives a fault whose check fails: it is reported as broken.
    """
    if entry.coded:
        try:
            module = import_module(f"{__package__}.{entry.place.replace('/', '.')}")
            found: Fault = getattr(module, entry.id.replace("-", "_"))
            return found
        except Exception as error:  # noqa: BLE001 - one broken module must not cost the others their say
            return _fault(entry, _failing(repr(error)))
    return _fault(entry, None)


def _fault(entry: Entry, check: Check | None) -> Fault:
    return Fault(
        id=entry.id,
        title=entry.title,
        layer=entry.layer,
        kind=entry.kind,
        severity=entry.severity,
        explains=entry.explains,
        symptom=entry.symptom,
        collateral=entry.collateral,
        references=entry.references,
        signatures=entry.signatures,
        clues=entry.clues,
        remedy=entry.remedy,
        next_command=entry.next_command,
        check=check,
    )


def _failing(why: str) -> Check:
    def check() -> Iterator[Hit]:
        yield from _refused(why)

    return check


def _refused(why: str) -> tuple[Hit, ...]:
    raise ImportError(why)


def explains() -> dict[str, tuple[str, ...]]:
    """Return for every fault the faults that it explains."""
    return {entry.id: entry.explains for entry in entries().values()}


def documents() -> dict[str, tuple[str, ...]]:
    """Return for every fault the texts that speak of it: name, titles, pages, patterns."""
    return {
        entry.id: (
            entry.id.replace("-", " "),
            entry.title.en,
            entry.title.zh,
            page(entry.id, "en"),
            page(entry.id, "zh"),
            *(signature.pattern for signature in entry.signatures),
            *(pattern for clue in entry.clues for pattern in clue.all),
        )
        for entry in entries().values()
        if entry.judged
    }


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
    return _bytes(path).decode("utf-8")


def _bytes(path: str) -> bytes:
    content = get_data(__package__, path)
    assert content is not None  # only a foreign loader cannot say
    return content


def _docstring(source: str) -> str:
    return source.split('"""', 2)[1].strip() + "\n"
