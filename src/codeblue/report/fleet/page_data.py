"""What the script of a page shows: each text once, alike nodes together, whatever a fleet has to tell."""

from collections.abc import Iterable, Sequence
from typing import Any

from codeblue.model.fleet import Judged, NodeFinding
from codeblue.model.node_sets import Numbered, runs
from codeblue.report.escape import line
from codeblue.report.fleet import words
from codeblue.report.words import CERTAINTY

MOST = 1_000_000
"""Bytes of all texts; what nodes say beyond that, each in other words, is left to other reports."""

Names = str | list[Any]
"""A name, or what stands around numbers, their width, and their first and last ones."""


def data(nodes: Sequence[Judged], kinds: Sequence[str], lang: str) -> dict[str, Any]:
    """Return sets of nodes of which the same is told, and the texts that they refer to."""
    groups = {name: number for number, name in enumerate(dict.fromkeys(node.group for node in nodes))}
    places = {kind: number for number, kind in enumerate(kinds)}
    texts = _Texts(lang)
    alike: dict[tuple[Any, ...], list[str]] = {}
    for node in nodes:
        hits = tuple((texts.finding(one), line(one.subject)) for one in node.findings)
        notes = tuple(texts.note(note.say(lang)) for note in node.notes)
        why = texts.why(node.why)
        key = (groups[node.group], places[words.kind(node)], hits, why, notes, int(node.without_gpu))
        alike.setdefault(key, []).append(node.node)
    return {
        "sets": [[*key, list(_names(names))] for key, names in alike.items()],
        "groups": [name or words.NO_GROUP.say(lang) for name in groups],
        "kinds": [
            {"name": words.named(kind, lang), "style": words.STYLES.get(kind, "warn")} for kind in kinds
        ],
        "findings": [
            dict(zip(("fault", "role", "certainty", "summary"), key, strict=True)) for key in texts.findings
        ],
        "whys": list(texts.whys),
        "notes": list(texts.notes),
        "words": {
            "light": words.LIGHT.say(lang),
            "more": words.MORE.en if lang == "en" else words.MORE.zh,
            "nothing": words.NOTHING.say(lang),
        },
    }


def _names(names: Iterable[str]) -> Iterable[Names]:
    for one in runs(names):
        if isinstance(one, Numbered):
            yield [one.before, one.after, one.width, [number for pair in one.ranges for number in pair]]
        else:
            yield one


class _Texts:
    """Texts by number, as many as a page can hold."""

    def __init__(self, lang: str) -> None:
        self.findings: dict[tuple[str, ...], int] = {}
        self.whys: dict[str, int] = {"": 0}
        self.notes: dict[str, int] = {}
        self._lang = lang
        self._bytes = 0

    def finding(self, one: NodeFinding) -> int:
        """Return the number of a finding's texts."""
        about = (one.fault, words.ROLES[one.role].say(self._lang), CERTAINTY[one.certainty].say(self._lang))
        return self._number(self.findings, about, line(one.summary.say(self._lang)))

    def why(self, why: str) -> int:
        """Return the number of the reason why a node was not looked at; 0 for none."""
        return self._number(self.whys, None, line(why))

    def note(self, note: str) -> int:
        """Return the number of what is to be known about a node."""
        return self._number(self.notes, None, line(note))

    def _number(self, known: dict[Any, int], about: tuple[str, ...] | None, text: str) -> int:
        key = (*about, text) if about else text
        if key not in known:
            self._bytes += len(text.encode())
            if self._bytes > MOST:
                left_out = words.LEFT_OUT.say(self._lang)
                key = (*about, left_out) if about else left_out
        return known.setdefault(key, len(known))
