"""Units of systemd and their drop-ins."""

import re
from collections.abc import Iterator

from codeblue.model.config.lines import Entry, Unit
from codeblue.model.config.place import Place, Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.text import message
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import entry, refuse_template

HEAD = re.compile(r"\[([^\]\n]*)\]\s*$")
PAIR = re.compile(r"([^=\s][^=]*?)\s*=[ \t]*(.*)", re.DOTALL)
ASSIGNED = re.compile(r"""(?:^|(?<=\s))(["']?)([A-Za-z_]\w*)=((?:(?!\1).)*?)(?:\1(?=\s|$))""", re.DOTALL)
DROP_IN = re.compile(r"(?:^|/)([^/]+)\.d/[^/]+$")


def read(source: Source) -> Iterator[object]:
    """Yield the unit, and the variables that it sets. Raises Broken and Template."""
    refuse_template(source)
    sections: list[tuple[str, Place]] = []
    entries: list[Entry] = []
    for start, end in _logical(source.text):
        text = source.text[start:end]
        if head := HEAD.match(text):
            sections.append((head[1], source.place(start, start + len(head[1]) + 2)))
            continue
        if text.startswith(".include "):
            continue
        pair = PAIR.match(text)
        if pair is None or not sections:
            why = (
                message("no = in this line; systemd skips it", "这一行没有 =；systemd 会忽略它")
                if pair is None
                else message("stands before the first [Section]", "写在第一个 [Section] 之前")
            )
            raise Broken(source.place(start, start + len(text.split("\n")[0].rstrip())), why)
        value = (start + pair.start(2), start + pair.start(2) + len(pair[2].rstrip()))
        entries.append(entry(source, (start, start + pair.end(1)), value, sections[-1][0]))
    drop_in = DROP_IN.search(source.name)
    name = drop_in[1] if drop_in else source.name.rpartition("/")[2]
    yield Unit(name=name, drop_in=drop_in is not None, sections=tuple(sections), entries=tuple(entries))
    settings = tuple(_settings(source, entries))
    if settings:
        yield Settings(owner=f"unit {name}", settings=settings)


def _logical(text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines begin and end; ``\\`` at the end of one joins the next, comments are skipped."""
    at, start = 0, -1
    for raw in text.split("\n"):
        stripped = raw.strip()
        comment = stripped[:1] in ("#", ";")
        if start < 0 and (not stripped or comment):
            at += len(raw) + 1
            continue
        start = at + len(raw) - len(raw.lstrip()) if start < 0 else start
        end = at + len(raw)
        at = end + 1
        if comment or stripped.endswith("\\"):
            continue
        yield start, end
        start = -1
    if start >= 0:
        yield start, len(text)


def _settings(source: Source, entries: list[Entry]) -> Iterator[Setting]:
    for one in entries:
        if one.name != "Environment" or one.section != "Service":
            continue
        line = Source(source.name, one.value, [(0, one.value_place.line, one.value_place.column)])
        for found in ASSIGNED.finditer(one.value):
            yield Setting(
                name=found[2],
                value=found[3],
                place=line.place(*found.span(2)),
                value_place=line.place(*found.span(3)),
            )
