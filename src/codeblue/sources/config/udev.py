"""Rules of udev."""

import re
from collections.abc import Iterator

from codeblue.model.config.lines import Term, Udev
from codeblue.model.config.place import Source
from codeblue.model.text import message
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import refuse_template

TERM = re.compile(r'([A-Z_]+(?:\{[^}\n]*\})?)\s*(==|!=|\+=|-=|:=|=)\s*(e?"(?:\\.|[^"\\\n])*")')
GAP = re.compile(r"[\s,]*")


def read(source: Source) -> Iterator[object]:
    """Yield the rules. Raises Broken at the first term that udev cannot read, and Template."""
    refuse_template(source)
    text = re.sub(r"\\\n", "  ", source.text)
    rules: list[tuple[Term, ...]] = []
    at = 0
    for raw in text.split("\n"):
        if raw.strip() and not raw.lstrip().startswith("#"):
            rules.append(tuple(_terms(source, text, at, at + len(raw))))
        at += len(raw) + 1
    yield Udev(rules=tuple(rules))


def _terms(source: Source, text: str, at: int, end: int) -> Iterator[Term]:
    while True:
        gap = GAP.match(text, at, end)
        at = gap.end() if gap else at
        if at >= end:
            return
        found = TERM.match(text, at, end)
        if found is None:
            raise _broken(source, text, at, end)
        yield Term(
            key=found[1],
            operator=found[2],
            value=found[3].removeprefix("e")[1:-1],
            place=source.place(*found.span()),
            operator_place=source.place(*found.span(2)),
        )
        at = found.end()


def _broken(source: Source, text: str, at: int, end: int) -> Broken:
    word = re.compile(r"[^\s,]+").match(text, at, end)
    stop = word.end() if word else at + 1
    rest = text[at:end]
    if re.match(r"[A-Z_]+(?:\{[^}]*\})?\s*(?:==|!=|\+=|-=|:=|=)", rest):
        why = message("the value has to stand in double quotes", "值必须用双引号括起来")
    else:
        why = message('udev expects KEY=="value" here', 'udev 在此处要求 KEY=="value" 的形式')
    return Broken(source.place(at, stop), why)
