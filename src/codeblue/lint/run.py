"""Judge files: read each, ask every rule that looks at one of its parts."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from codeblue.faults import index
from codeblue.lint.comments import comments
from codeblue.lint.rules import name_of, of_part
from codeblue.model.config.place import Place, Source
from codeblue.model.fault import Certainty
from codeblue.model.lint import ALONE, Finding, Left, Problem, Rule, Suppressed
from codeblue.model.section import NotRead
from codeblue.model.site import Site
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text
from codeblue.sources.config import within
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.kinds import Kind
from codeblue.sources.shapes.known import Known


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
    broken: tuple[tuple[str, str], ...] = ()


def judge(source: Source, kind: Kind, against: Against) -> Judged:
    """Return what the rules say of one file. A rule that fails is told, and the others are asked."""
    asked = _Asked(source.name, kind, against)
    asked.parts(within.parts(kind.read(source)))
    lines = source.text.split("\n")
    findings = _once((_finding(one, source.name, lines), one.compared) for one in asked.found)
    kept, suppressed = comments(source, findings, shows=kind.shows)
    return Judged(
        source.name,
        kind.name,
        tuple(kept),
        tuple(suppressed),
        tuple(asked.left),
        tuple(asked.skipped),
        tuple(asked.broken),
    )


def _once(found: Iterable[tuple[Finding, bool]]) -> list[Finding]:
    """Return one finding of a fault at a place, in the order of the file: the one that says most.

    Of two that are as sure, the one that a machine or the site was asked for says more.
    """
    ranks = list(Certainty)
    said = sorted(found, key=lambda one: (one[0].pedantic, ranks.index(one[0].certainty), not one[1]))
    best = {one.order: one for one, _ in reversed(said)}
    return [best[order] for order in sorted(best)]


class _Found(NamedTuple):
    """A problem, and who found it."""

    fault: str
    problem: Problem
    pedantic: bool = False
    compared: bool = False
    """True if the file was compared with a machine, or with the site's own words."""


class _Asked:
    """Collects what the rules say of the parts of one file."""

    def __init__(self, path: str, kind: Kind, against: Against) -> None:
        self._path = path
        self._kind = kind
        self._against = against
        self.found: list[_Found] = []
        self.left: list[Left] = []
        self.skipped: dict[tuple[str, str], None] = {}
        self.broken: dict[tuple[str, str], None] = {}

    def parts(self, parts: Iterator[object]) -> None:
        """Ask of each part; a file that breaks off is judged up to there."""
        try:
            for part in parts:
                for rule in of_part(name_of(type(part))):
                    self._ask(rule, part)
        except Broken as broken:
            problem = Problem(place=broken.place, message=broken.line, fix=broken.fix)
            self.found.append(_Found(self._kind.fault, problem))
        except Template as template:
            self.left.append(Left(self._path, _of(self._path, template.line)))
        except Exception as error:  # noqa: BLE001 - a bug in one reader must not cost the other files their say
            self._failed(f"reader of {self._kind.name}", error)

    def _ask(self, rule: Rule, part: object) -> None:
        try:
            problems = list(rule.check(part, *_facts(rule, self._against)))
        except NotRead as reason:
            self.skipped[rule.fault, str(reason)] = None
        except Exception as error:  # noqa: BLE001 - a bug in one rule must not cost the others their say
            self._failed(rule.fault, error)
        else:
            pedantic = rule.pedantic or (self._kind.shows and not rule.in_documents)
            self.found += [_Found(rule.fault, one, pedantic, bool(rule.needs)) for one in problems]

    def _failed(self, who: str, error: Exception) -> None:
        self.broken[who, f"{self._path}: {error!r}"] = None


def _of(path: str, why: Message) -> Message:
    text = Text(f"{{path}}: {why.text.en}", f"{{path}}：{why.text.zh}")
    return Message(text, {**why.values, "path": path})


def _facts(rule: Rule, against: Against) -> Iterator[object]:
    """Yield what a rule asks for besides the part. Raises NotRead."""
    for need in rule.needs:
        if need is Site:
            if against.site is None:
                raise NotRead(f"codeblue.toml: {ALONE}")
            yield against.site
        elif against.machine is None:
            raise NotRead(f"{need.NAME}: --on {ALONE}")
        else:
            yield against.machine.section(need)


def _finding(found: _Found, path: str, lines: Sequence[str]) -> Finding:
    entry, problem = index.entries()[found.fault], found.problem
    number = problem.place.line - 1
    line = lines[number] if number < len(lines) else ""
    return Finding(
        fault=found.fault,
        variant=problem.variant,
        title=entry.title,
        layer=entry.layer,
        kind=problem.kind or entry.kind,
        severity=problem.severity or entry.severity,
        certainty=problem.certainty,
        path=path,
        place=problem.place,
        message=problem.message,
        line=_shown(_without(line, problem.place) if problem.hides else line),
        fix=problem.fix,
        pedantic=found.pedantic,
    )


@cache
def _secrets() -> Known:
    return Known({}, (), lambda kind, value: "…" if kind == "secret" else value)


def _shown(line: str) -> str:
    """Return a line of a file as reports may show it: passwords, tokens and keys are left out."""
    return _secrets().text(line)


def _without(line: str, place: Place) -> str:
    """Return a line with the characters of a place made unreadable."""
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    return line[: place.column - 1] + "*" * 8 + line[end:]
