"""Judge files: read each, ask every rule that looks at one of its parts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeblue.faults import index
from codeblue.lint.comments import comments
from codeblue.lint.rules import RULES
from codeblue.model.config.place import Place, Source
from codeblue.model.fault import Certainty
from codeblue.model.lint import Finding, Left, Problem, Rule, Suppressed
from codeblue.model.section import NotRead
from codeblue.model.site import Site
from codeblue.model.snapshot import View
from codeblue.sources.config import within
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.kinds import Kind

BY_PART: dict[type, list[Rule]] = {}
for _rule in RULES:
    BY_PART.setdefault(_rule.part, []).append(_rule)


class Against(NamedTuple):
    """What files are judged against, besides themselves."""

    machine: View | None = None
    site: Site | None = None


class Judged(NamedTuple):
    """What came of one file."""

    path: str
    kind: str
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    left: tuple[Left, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()


def judge(source: Source, kind: Kind, against: Against) -> Judged:
    """Return what the rules say of one file."""
    found: list[tuple[Rule | None, Problem, str]] = []
    left: list[Left] = []
    skipped: dict[tuple[str, str], None] = {}
    parts = within.parts(kind.read(source))
    while True:
        try:
            part = next(parts, None)
        except Broken as broken:
            found.append((None, Problem(place=broken.place, message=broken.line, fix=broken.fix), kind.fault))
            break
        except Template as template:
            left.append(Left(source.name, template.line))
            break
        if part is None:
            break
        for rule in BY_PART.get(type(part), ()):
            try:
                found += [(rule, problem, rule.fault) for problem in rule.check(part, *_facts(rule, against))]
            except NotRead as reason:
                skipped[rule.fault, str(reason)] = None
    lines = source.text.split("\n")
    findings = (_finding(rule, problem, fault, source.name, lines) for rule, problem, fault in found)
    once = {(one.order, one.message.text.en, tuple(one.message.values.items())): one for one in findings}
    kept, suppressed = comments(source, sorted(once.values(), key=lambda one: one.order))
    return Judged(source.name, kind.name, tuple(kept), tuple(suppressed), tuple(left), tuple(skipped))


def _facts(rule: Rule, against: Against) -> Iterator[object]:
    """Yield what a rule asks for besides the part. Raises NotRead."""
    for need in rule.needs:
        if need is Site:
            if against.site is None:
                raise NotRead("codeblue.toml: not given")
            yield against.site
        elif against.machine is None:
            raise NotRead(f"{need.NAME}: no machine was given with --on")
        else:
            yield against.machine.section(need)


def _finding(rule: Rule | None, problem: Problem, fault: str, path: str, lines: Sequence[str]) -> Finding:
    entry = index.entries()[fault]
    number = problem.place.line - 1
    line = lines[number] if number < len(lines) else ""
    return Finding(
        fault=fault,
        variant=problem.variant,
        title=entry.title,
        layer=entry.layer,
        kind=problem.kind or entry.kind,
        severity=problem.severity or entry.severity,
        certainty=problem.certainty or Certainty.CERTAIN,
        path=path,
        place=problem.place,
        message=problem.message,
        line=_without(line, problem.place) if problem.hides else line,
        fix=problem.fix,
        pedantic=rule.pedantic if rule else False,
    )


def _without(line: str, place: Place) -> str:
    """Return a line with the characters of a place made unreadable."""
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    return line[: place.column - 1] + "*" * 8 + line[end:]
