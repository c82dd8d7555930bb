"""Judge files: read each, ask every rule that looks at one of its parts."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from codeblue.faults import index
from codeblue.lint.comments import comments
from codeblue.lint.rules import RULES
from codeblue.model.config.place import Source
from codeblue.model.fault import Certainty
from codeblue.model.lint import Finding, Left, Problem, Rule, Suppressed
from codeblue.model.section import NotRead
from codeblue.model.site import Site
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.kinds import Kind
from codeblue.sources.shapes.known import Known

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
    parts = kind.read(source)
    while True:
        try:
            part = next(parts, None)
        except Broken as broken:
            found.append((None, Problem(place=broken.place, message=broken.line, fix=broken.fix), kind.fault))
            break
        except Template as template:
            left.append(Left(source.name, _of(source.name, template.line)))
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


def _of(path: str, why: Message) -> Message:
    text = Text(f"{{path}}: {why.text.en}", f"{{path}}：{why.text.zh}")
    return Message(text, {**why.values, "path": path})


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
        line=_shown(lines[number]) if number < len(lines) else "",
        fix=problem.fix,
        pedantic=rule.pedantic if rule else False,
    )


@cache
def _secrets() -> Known:
    return Known({}, (), lambda kind, value: "…" if kind == "secret" else value)


def _shown(line: str) -> str:
    """Return a line of a file as reports may show it: passwords, tokens and keys are left out."""
    return _secrets().text(line)
