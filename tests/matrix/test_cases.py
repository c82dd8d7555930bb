"""What public documents, issues and release notes say of combinations, judged by the matrix.

Each case names the document that the expectation comes from; none comes from the tables.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Verdict

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


CASES = [case for file in FILES for case in cases(file)]


def name(case: Case) -> str:
    """Return a readable name for the test report."""
    return " ".join(f"{key}={one.value[:24]}" for key, one in case.asked.parts())


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_verdict_and_the_rule_behind_it(case: Case) -> None:
    judged = judge(case.asked)

    said = [(one.rule, one.answer.value, one.text.say("en")) for one in judged.judgements]
    assert judged.verdict is case.expect, (case.url, said)
    deciding = {one.rule for one in judged.judgements if one.answer in DECIDES[case.expect]}
    assert case.rule in deciding, (case.url, said)


def test_there_are_many_cases_and_each_has_its_document() -> None:
    assert len(CASES) >= 150
    assert all(case.title and case.url.startswith("https://") for case in CASES)
    assert {case.expect for case in CASES} == set(Verdict)
    assert len({case.url for case in CASES}) >= 100
