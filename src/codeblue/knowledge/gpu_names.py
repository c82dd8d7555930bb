"""GPUs by what people write: ``RTX 4090``, ``A100 80GB``, ``rtx4060ti``, ``10de:2330``, ``sm_89``."""

import difflib
import re
from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.gpus import gpu_named
from codeblue.knowledge.tables import table

BRANDS = frozenset({"nvidia", "geforce", "tesla", "quadro"})
"""Words that nobody is obliged to write."""

FILLERS = frozenset({"gpu", "generation", "edition"})
"""Words of full names that tell no two GPUs apart."""

_DEVICE = re.compile(r"(?:(?:0x)?10de:?)?(?:0x)?([0-9a-f]{4})", re.IGNORECASE)
_CAPABILITY = re.compile(r"(?:(?:sm|compute)_?(\d{1,2})(\d)[af]?|(?:cc ?)?(\d{1,2})\.(\d))", re.IGNORECASE)
_SIZE = re.compile(r"\b(\d+) ?gb?\b")
_GLUED = (
    (re.compile(r"\b(rtx|gtx)(?=a?\d)"), r"\1 "),
    (re.compile(r"\b(\d{4})(?=(?:d|ti|super)\b)"), r"\1 "),
)
_TI_SUPER = re.compile(r"\b(\d{4}) ?tisuper\b")
_WORD = re.compile(r"[a-z0-9]+")
_SOCKET = re.compile(r"sxm\d?")


def matching(text: str) -> list[dict[str, Any]]:
    """Return the rows of the GPUs that ``text`` may mean, in the order of the table; none is no match.

    Tried in turn: the whole name or an alias, a PCI device id (with or without the vendor), a compute
    capability (``8.9``, ``sm_89``), and the words of a name in their order. Of several rows by words,
    those that say no more than the query are taken, apart from memory sizes: ``RTX 4090`` is not the
    ``RTX 4090 D``, but ``A100`` is every A100.
    """
    text = " ".join(text.split())
    for look in (_by_name, _by_device, _by_capability, _by_words):
        if rows := look(text):
            return rows
    return []


def nearest(text: str, most: int = 3) -> list[str]:
    """Return the names, at most ``most``, that are spelt most like ``text``; the best comes first."""
    spelt = [(_spelling(name), str(row["name"])) for row in table("gpus")["rows"] for name in _names(row)]
    known: dict[str, str] = {}
    # The whole names, then the models alone, without the memory and the socket.
    for spelling, name in [*spelt, *((spelling.split()[0], name) for spelling, name in spelt)]:
        known.setdefault(spelling, name)
    asked = _spelling(text)
    near = difflib.get_close_matches(asked, known, n=3 * most, cutoff=0.5)
    near.sort(key=lambda spelling: not set(spelling.split()) <= set(asked.split()))
    return list(dict.fromkeys(known[spelling] for spelling in near))[:most]


def _spelling(text: str) -> str:
    """Return what tells names apart when they are compared letter by letter."""
    return " ".join(word for word in _required(_words(text)) if word != "rtx") or text.casefold()


def _by_name(text: str) -> list[dict[str, Any]]:
    exact = gpu_named(text)
    if exact is not None:
        return [exact]
    folded = text.casefold()
    return [row for row in table("gpus")["rows"] if folded in (name.casefold() for name in _names(row))]


def _by_device(text: str) -> list[dict[str, Any]]:
    found = _DEVICE.fullmatch(text)
    if found is None:
        return []
    device = found[1].upper()
    return [row for row in table("gpus")["rows"] if device in (row.get("pci_ids") or ())]


def _by_capability(text: str) -> list[dict[str, Any]]:
    found = _CAPABILITY.fullmatch(text)
    if found is None:
        return []
    capability = f"{found[1] or found[3]}.{found[2] or found[4]}"
    return [row for row in table("gpus")["rows"] if row["cc"] == capability]


def _by_words(text: str) -> list[dict[str, Any]]:
    said = _words(text)
    wanted = _required(said)
    found: list[tuple[set[str], dict[str, Any]]] = []
    for row in table("gpus")["rows"] if wanted else ():
        more = [rest for name in _names(row) if (rest := _surplus(wanted, _words(name))) is not None]
        if more:
            found.append((min(more, key=len), row))
    if not all(rest for rest, _ in found):
        return [row for rest, row in found if all(_SIZE.fullmatch(word) for word in rest)]
    # A Quadro that the table does not know is not the later card with the same number.
    return [] if "quadro" in said else [row for _, row in found]


def _names(row: dict[str, Any]) -> Iterator[str]:
    yield row["name"]
    yield from row.get("aliases", ())


def _words(text: str) -> list[str]:
    spaced = _TI_SUPER.sub(r"\1 ti super", text.casefold().replace("-", " "))
    for glued, apart in _GLUED:
        spaced = glued.sub(apart, spaced)
    return _WORD.findall(_SIZE.sub(r"\1gb", spaced))


def _required(words: list[str]) -> list[str]:
    return [word for word in words if word not in BRANDS and word not in FILLERS]


def _surplus(wanted: list[str], words: list[str]) -> set[str] | None:
    """Return what a name tells more than the wanted words; None if it lacks one of these."""
    rest = iter(enumerate(words))
    seen: set[int] = set()
    for word in wanted:
        position = next((number for number, mine in rest if _same(word, mine)), None)
        if position is None:
            return None
        seen.add(position)
    return {word for number, word in enumerate(words) if number not in seen and _tells(word, words)}


def _same(word: str, other: str) -> bool:
    return word == other or (word == "sxm" and _SOCKET.fullmatch(other) is not None)


def _tells(word: str, words: list[str]) -> bool:
    """Return whether a word of a name that was not asked for may set this GPU apart from others."""
    if word in FILLERS or word in BRANDS:
        return word == "quadro"
    return word != "rtx" or "titan" in words
