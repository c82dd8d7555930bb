"""Signatures that would be slow, or mean different things to different engines, are rejected here."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from codeblue.faults import index
from codeblue.sources.scan.chosen import chosen
from codeblue.sources.scan.literals import literals, worth
from codeblue.sources.scan.loosen import Unsupported, loosened
from codeblue.sources.scan.rules import Rules
from tests.scan.tools import CATALOGUE

if sys.version_info >= (3, 11):
    from re import _constants as sre  # type: ignore[attr-defined]  # typeshed leaves the parser of re out
    from re import _parser as parser  # type: ignore[attr-defined]  # likewise
else:
    import sre_constants as sre
    import sre_parse as parser

SIGNATURES = [
    (entry.id, one.pattern, one.anchor) for entry in index.entries().values() for one in entry.signatures
]
every_signature = pytest.mark.parametrize(
    ("fault", "pattern", "anchor"), SIGNATURES, ids=[f"{f}-{n}" for n, (f, _, _) in enumerate(SIGNATURES)]
)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
LONGEST_REPEAT = 64
"""Of a bounded repeat: engines unroll it."""


def complaints(pattern: str, anchor: str) -> list[str]:
    """Return what is wrong with a signature; nothing if it is fit for every engine."""
    try:
        loosened(pattern)
    except Unsupported as reason:
        return [f"not every engine has this: {reason}"]
    items: Any = parser.parse(pattern)
    named = set(items.state.groupdict.values())
    found = [*_ends(list(items), named), *_inside(items)]
    if not _requires(list(items), anchor):
        found.append("a line can match without the anchor")
    if worth(literals(pattern))[0] < 4:
        found.append("no literal of four characters is in every match")
    return found


def _ends(items: list[Any], named: set[int]) -> Iterator[str]:
    """Look at both ends, where a part that may be missing finds nothing and costs an event for each place."""
    first = next(item for item in items if item[0] is not sre.AT)
    anchored = items[0][0] is sre.AT and items[0][1] is not sre.AT_BOUNDARY
    if first[0] in REPEATS and first[1][0] == 0 and not anchored and not _captures(first, named):
        yield "begins with a part that may be missing"
    if first[0] in REPEATS and _wide(first[1][2]) and first[1][1] == sre.MAXREPEAT and not anchored:
        yield "begins with an unbounded repeat of anything"
    last = items[-1]
    if last[0] in REPEATS and last[1][0] == 0 and not _captures(last, named):
        yield "ends with a part that may be missing"


def _inside(items: Any) -> Iterator[str]:
    for op, value in items:
        if op in REPEATS:
            if value[1] != sre.MAXREPEAT and value[1] > LONGEST_REPEAT:
                yield f"a repeat of up to {value[1]}"
            inner = list(value[2])
            if value[1] == sre.MAXREPEAT and len(inner) == 1 and _unbounded(inner[0]):
                yield "a repeat of a repeat"
            yield from _inside(inner)
        elif op is sre.SUBPATTERN:
            yield from _inside(value[3])
        elif op is sre.BRANCH:
            for branch in value[1]:
                yield from _inside(branch)


def _unbounded(item: Any) -> bool:
    op, value = item
    if op is sre.SUBPATTERN:
        return len(value[3]) == 1 and _unbounded(value[3][0])
    return op in REPEATS and value[1] == sre.MAXREPEAT


def _captures(item: Any, named: set[int]) -> bool:
    """Tell whether a part, or one in it, is captured by name: the value is wanted if it is there."""
    op, value = item
    if op is sre.SUBPATTERN:
        return value[0] in named or any(_captures(part, named) for part in value[3])
    if op in REPEATS:
        return any(_captures(part, named) for part in value[2])
    if op is sre.BRANCH:
        return any(_captures(part, named) for branch in value[1] for part in branch)
    return False


def _wide(items: Any) -> bool:
    return len(items) == 1 and items[0][0] in (sre.ANY, sre.NOT_LITERAL)


def _requires(items: list[Any], anchor: str) -> bool:
    """Tell whether every match contains the anchor: it is a run of fixed characters of each branch."""
    return all(anchor in run for run in _branches(items))


def _branches(items: list[Any]) -> list[str]:
    """Return for each way through the branches the fixed text, with a mark where anything may stand."""
    ways = [""]
    for op, value in items:
        if op is sre.LITERAL:
            ways = [way + chr(value) for way in ways]
        elif op is sre.SUBPATTERN:
            ways = [way + inner for way in ways for inner in _branches(list(value[3]))]
        elif op is sre.BRANCH:
            ways = [way + inner for way in ways for branch in value[1] for inner in _branches(list(branch))]
        elif op is sre.IN and len(value) <= 3 and all(kind is sre.LITERAL for kind, _ in value):
            ways = [way + chr(code) for way in ways for _, code in value]
        elif op in REPEATS and value[0]:
            inner = _branches(list(value[2]))
            ways = [way + text * value[0] + "\uffff" for way in ways for text in inner]
        elif op in REPEATS and value[1] == 1:
            ways = ways + [way + text for way in ways for text in _branches(list(value[2]))]
        elif op is not sre.AT:
            ways = [way + "\uffff" for way in ways]
        if len(ways) > 20_000:
            # So many ways are all alike in what they need.
            ways = ways[:2000]
    return ways


@every_signature
def test_a_signature_is_fit_for_every_engine(fault: str, pattern: str, anchor: str) -> None:
    assert not complaints(pattern, anchor), pattern


@pytest.mark.parametrize(
    ("pattern", "anchor", "says"),
    [
        (r"(?=error) failed", "failed", "not every engine"),
        (r"(?<!no )error found", "error found", "not every engine"),
        (r"(\w+) failed \1", " failed ", "not every engine"),
        (r"(?i)failed badly", "failed", "not every engine"),
        (r".*failed badly", "failed", "begins with"),
        (r".+failed badly", "failed", "begins with an unbounded"),
        (r"failed badly.*", "failed", "ends with"),
        (r"failed badly( again)?", "failed", "ends with"),
        (r"(failed)?( badly)?", "failed", "matches the empty text"),
        (r"failed|broken", "failed", "without the anchor"),
        (r"failed( at x)? here", "at x", "without the anchor"),
        (r"failed .{0,500} here", "failed", "a repeat of up to 500"),
        (r"failed (?:\w+)* here", "failed", "a repeat of a repeat"),
        (r"\d+: \d+", ": ", "no literal"),
    ],
)
def test_what_is_rejected(pattern: str, anchor: str, says: str) -> None:
    said = "; ".join(complaints(pattern, anchor))

    assert says in said


@pytest.mark.parametrize(
    ("pattern", "anchor"),
    [
        (r"^ *failed badly$", "failed"),
        (r"failed: (?P<why>.+)", "failed: "),
        (r"[Ff]ailed .* badly", "ailed "),
        (r"failed badly(?: at (?P<place>\w+))?", "failed"),
    ],
)
def test_what_is_allowed(pattern: str, anchor: str) -> None:
    assert complaints(pattern, anchor) == []


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"^\[rank\d+\]: (?P<type>(?:PIL|av)\.\w+)", {"]: PIL.", "]: av."}),
        (r"(?P<what>disk) (?:full|broken)", {"disk full", "disk broken"}),
        (r"a(?:bc)?d.*ended badly", {"ended badly"}),
    ],
)
def test_a_literal_goes_on_through_groups(pattern: str, needed: set[str]) -> None:
    assert literals(pattern) == needed


def test_no_literal_slows_down_the_search_for_all_others() -> None:
    short = [literal for literal in chosen(Rules(CATALOGUE)) if len(literal.encode()) < 5]

    assert not short, (
        "a signature needs five bytes of fixed text that are rare, or a few that it chooses from"
    )
