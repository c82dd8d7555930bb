"""Markdown to blocks, as far as reading needs it."""

import re
from collections.abc import Iterator
from itertools import pairwise

from codeblue.model.config.place import Source
from codeblue.sources.config.documents.block import Block
from codeblue.sources.config.documents.lines import joined, spans

FENCE = re.compile(r"^([ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?)(`{3,}|~{3,})[ \t]*\{?\.?([\w+#-]*)")
HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+\S")
UNDERLINE = re.compile(r"^ {0,3}(=+|-{3,})[ \t]*$")
SEPARATOR = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|\A---\n.*?\n(?:---|\.\.\.)(?=\n)", re.DOTALL)
MARKS = re.compile(
    r"\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,500}(?:\s+\"[^\"\n]{0,200}\")?\)|\]\[[^\]\[\n]{0,200}\]|"
    r"<(?:/?[a-zA-Z][^<>\n]{0,500}|https?:[^<>\s]{0,500})>|!?\[|\]|\*+|`+|~~|\\(?=[_*|<>])"
)
"""What Markdown and HTML add to the words; links keep their words and lose their address."""
CELL = re.compile(r"(?<!\\)\|")


def blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of a document in their order."""
    hidden = HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text)
    yield from _Reader(source.filled(hidden)).blocks()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = spans(source.text)
        self._at = 0
        self._paragraph: list[tuple[int, int]] = []
        self._list = False

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._line(self._at)
            if fence := FENCE.match(line):
                yield from self._flush()
                yield self._fenced(fence)
            elif HEADING.match(line) or self._underlined():
                yield from self._heading(line)
            elif self._is_table():
                yield from self._flush()
                yield from self._table()
            elif self._is_indented(line):
                yield from self._flush()
                yield self._indented()
            else:
                yield from self._plain(line)
        yield from self._flush()

    def _line(self, number: int) -> str:
        if number >= len(self._lines):
            return ""
        start, end = self._lines[number]
        return self._source.text[start:end]

    def _plain(self, line: str) -> Iterator[Block]:
        if not line.strip() or ITEM.match(line):
            yield from self._flush()
        if line.strip():
            self._paragraph.append(self._lines[self._at])
            self._list = bool(ITEM.match(line)) or (self._list and line[:1] in " \t")
        self._at += 1

    def _flush(self) -> Iterator[Block]:
        if self._paragraph:
            yield Block(kind="text", source=words(joined(self._source, self._paragraph)))
            self._paragraph = []

    def _underlined(self) -> bool:
        """Tell whether this line and the next are a heading; a line of a paragraph before makes it none."""
        line, below = self._line(self._at), self._line(self._at + 1)
        return bool(line.strip() and UNDERLINE.match(below) and "|" not in line) and not self._paragraph

    def _heading(self, line: str) -> Iterator[Block]:
        yield from self._flush()
        hashes = HEADING.match(line)
        below = self._line(self._at + 1)
        level = len(hashes[1]) if hashes else (1 if below.strip().startswith("=") else 2)
        yield Block(kind="heading", source=words(joined(self._source, [self._lines[self._at]])), level=level)
        self._at += 1 if hashes else 2
        self._list = False

    def _fenced(self, fence: re.Match[str]) -> Block:
        begin = self._at + 1
        closing = re.compile(rf"^[ \t>]*{re.escape(fence[2][0])}{{{len(fence[2])},}}[ \t]*$")
        self._at = begin
        while self._at < len(self._lines) and not closing.match(self._line(self._at)):
            self._at += 1
        end = self._at
        self._at += 1
        return Block(
            kind="code", source=self._dedented(begin, end, ">" in fence[1]), language=fence[3].lower()
        )

    def _dedented(self, begin: int, end: int, quoted: bool) -> Source:
        """Return lines without the indent that all of them have, and without marks of a quotation."""
        heads = [re.match(r"[ \t>]*" if quoted else r"[ \t]*", self._line(n)) for n in range(begin, end)]
        widths = [found.end() if found else 0 for found in heads]
        filled = [w for w, n in zip(widths, range(begin, end), strict=True) if self._line(n).strip(" \t>")]
        cut = min(filled, default=0)
        rows = self._lines[begin:end]
        return joined(self._source, [(min(start + cut, stop), stop) for start, stop in rows])

    def _is_indented(self, line: str) -> bool:
        blank_before = not self._line(self._at - 1).strip() if self._at else True
        return bool(line.strip()) and line.startswith(("    ", "\t")) and blank_before and not self._list

    def _indented(self) -> Block:
        begin = self._at
        while self._at < len(self._lines):
            line = self._line(self._at)
            if line.strip() and not line.startswith(("    ", "\t")):
                break
            self._at += 1
        return Block(kind="code", source=self._dedented(begin, self._at, False))

    def _is_table(self) -> bool:
        below = self._line(self._at + 1)
        return "|" in self._line(self._at) and "|" in below and bool(SEPARATOR.match(below))

    def _table(self) -> Iterator[Block]:
        header = tuple(cell.text.strip() for cell in self._cells(self._at))
        self._at += 2
        while "|" in self._line(self._at):
            row = joined(self._source, [self._lines[self._at]])
            yield Block(kind="row", source=words(row), header=header, cells=tuple(self._cells(self._at)))
            self._at += 1
        self._list = False

    def _cells(self, number: int) -> Iterator[Source]:
        start, end = self._lines[number]
        line = self._source.text[start:end]
        left = len(line) - len(line.lstrip(" \t>"))
        edges = [left - 1, *(found.start() for found in CELL.finditer(line)), len(line)]
        pairs = list(pairwise(edges))
        if line.strip(" \t>").startswith("|"):
            pairs = pairs[1:]
        if line.rstrip().endswith("|"):
            pairs = pairs[:-1]
        for begin, stop in pairs:
            yield words(joined(self._source, [(start + begin + 1, start + max(begin + 1, stop))]))


def words(source: Source) -> Source:
    """Return a stretch of Markdown with blanks for everything that is not a word."""
    text = MARKS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text)
    return source.filled(re.sub(r"(?m)^([ \t>]*)(#{1,6}|[-+]|\d+[.)])(?=\s)", _blanked, text))


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])
