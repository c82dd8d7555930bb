"""The cases of ``cases/*.toml``: combinations, and what a public document says of each."""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judged, Verdict

DECIDES = {
    Verdict.COMPATIBLE: {Answer.YES, Answer.IF},
    Verdict.INCOMPATIBLE: {Answer.NO},
    Verdict.UNKNOWN: {Answer.UNKNOWN},
}
FILES = sorted(Path(__file__).with_name("cases").glob("*.toml"))


class Case(NamedTuple):
    """A combination, and what a document says of it."""

    expect: Verdict
    rule: str
    asked: Combination
    title: str
    url: str


def part(value: Any, origin: str) -> Part:
    """Return a part: a text, or a table with the distribution that brings it."""
    return Part(**value, origin=origin) if isinstance(value, dict) else Part(value, origin)


def combination(ask: dict[str, Any], origin: str) -> Combination:
    """Return what a case asks."""
    parts: dict[str, Any] = {}
    for name, value in ask.items():
        if name == "targets":
            parts[name] = tuple(value)
        elif isinstance(value, list):
            parts[name] = tuple(part(one, origin) for one in value)
        else:
            parts[name] = part(value, origin)
    return Combination(**parts)


def cases(file: Path) -> list[Case]:
    """Return the cases of a file."""
    found: list[Case] = []
    for source in msgspec.toml.decode(file.read_text(encoding="utf-8"))["source"]:
        for case in source["cases"]:
            asked = combination(case["ask"], source["title"])
            found.append(Case(Verdict(case["expect"]), case["rule"], asked, source["title"], source["url"]))
    return found


def is_right(case: Case, judged: Judged) -> bool:
    """Return whether the verdict is the expected one, and by the rule that the document is about."""
    deciding = {one.rule for one in judged.judgements if one.answer in DECIDES[case.expect]}
    return judged.verdict is case.expect and case.rule in deciding


def judged(case: Case) -> Judged:
    """Return what the matrix says."""
    return judge(case.asked)
