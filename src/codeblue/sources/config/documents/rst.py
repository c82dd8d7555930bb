"""reStructuredText to blocks, as far as reading needs it."""

import re
from collections.abc import Iterator

from codeblue.model.config.place import Source
from codeblue.sources.config.documents.block import Block
from codeblue.sources.config.documents.lines import joined, spans

UNDERLINE = re.compile(r"^([=\-~^\"'`#*+.:_])\1{2,}\s*$")
CODE = re.compile(r"^(\s*)\.\.\s+(?:code-block|code|sourcecode|prompt|parsed-literal)::\s*([\w-]*)")
DIRECTIVE = re.compile(r"^(\s*)\.\.(?:\s|$)")
ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#\.)\s+")
MARKS = re.compile(r"<(?:https?:|\.\.?/)[^<>\s]*>`?_*|:[\w:-]+:(?=`)|\*+|`+_*|\|(?=\w)|(?<=\w)\|")
HISTORY = re.compile(r"^\s*\.\.\s+(?:versionadded|versionchanged|deprecated)::")


def blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of a document in their order."""
    yield from _Reader(source).blocks()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = spans(source.text)
        self._at = 0
        self._paragraph: list[tuple[int, int]] = []
        self._signs: list[str] = []

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._line(self._at)
            if code := CODE.match(line):
                yield from self._flush()
                yield self._code(len(code[1]), code[2].lower())
            elif HISTORY.match(line):
                yield from self._flush()
                self._body(len(line) - len(line.lstrip()))
            elif DIRECTIVE.match(line):
                yield from self._flush()
                self._at += 1
                self._options()
            elif line.strip() and UNDERLINE.match(self._line(self._at + 1)) and not self._paragraph:
                yield self._heading()
            else:
                yield from self._plain(line)
        yield from self._flush()

    def _line(self, number: int) -> str:
        if number >= len(self._lines):
            return ""
        start, end = self._lines[number]
        return self._source.text[start:end]

    def _plain(self, line: str) -> Iterator[Block]:
        if not line.strip() or ITEM.match(line) or UNDERLINE.match(line):
            yield from self._flush()
        if line.strip() and not UNDERLINE.match(line):
            self._paragraph.append(self._lines[self._at])
        self._at += 1
        if line.rstrip().endswith("::"):
            yield from self._flush()
            yield self._code(len(line) - len(line.lstrip()), "")

    def _flush(self) -> Iterator[Block]:
        if self._paragraph:
            yield Block(kind="text", source=words(joined(self._source, self._paragraph)))
            self._paragraph = []

    def _heading(self) -> Block:
        sign = self._line(self._at + 1)[0]
        if sign not in self._signs:
            self._signs.append(sign)
        found = joined(self._source, [self._lines[self._at]])
        self._at += 2
        return Block(kind="heading", source=words(found), level=self._signs.index(sign) + 1)

    def _options(self) -> None:
        """Pass over the options of a directive; what it holds is read as text."""
        while re.match(r"^\s+:[\w-]+:", self._line(self._at)):
            self._at += 1

    def _code(self, indent: int, language: str) -> Block:
        if CODE.match(self._line(self._at)):
            self._at += 1
            self._options()
        begin, end = self._body_lines(indent)
        filled = [n for n in range(begin, end) if self._line(n).strip()]
        cut = min((len(self._line(n)) - len(self._line(n).lstrip()) for n in filled), default=0)
        rows = [(min(start + cut, stop), stop) for start, stop in self._lines[begin:end]]
        return Block(kind="code", source=joined(self._source, rows), language=language)

    def _body(self, indent: int) -> None:
        self._at += 1
        self._body_lines(indent)

    def _body_lines(self, indent: int) -> tuple[int, int]:
        """Pass over the lines that are indented more, and return the first and the one behind the last."""
        begin = self._at
        while self._at < len(self._lines):
            line = self._line(self._at)
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            self._at += 1
        return begin, self._at


def words(source: Source) -> Source:
    """Return a stretch with blanks for everything that is not a word."""
    text = MARKS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text)
    return source.filled(re.sub(r"(?m)^(\s*)([-*+•]|\d+[.)]|#\.)(?=\s)", lambda m: " " * len(m[0]), text))
