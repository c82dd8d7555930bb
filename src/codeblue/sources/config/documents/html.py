"""HTML to blocks."""

from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser

from codeblue.model.config.place import Source
from codeblue.sources.config.documents.block import Block

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
ENDS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "br", "dd", "details", "div", "dl", "dt",
        "figure", "footer", "form", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section",
        "summary", "table", "tbody", "thead", "title", "tr", "ul", "td", "th", *HEADINGS,
    }
)  # fmt: skip
"""Elements that a sentence does not go beyond."""
SILENT = frozenset({"script", "style", "template", "noscript", "svg", "del", "s"})


def blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of a document in their order."""
    reader = _Reader(source.name)
    reader.feed(source.text)
    reader.close()
    reader.flush()
    yield from reader.found


class _Reader(HTMLParser):
    def __init__(self, name: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[Block] = []
        self._name = name
        self._silent = 0
        self._code = 0
        self._language = ""
        self._heading = 0
        self._pieces: list[str] = []
        self._marks: list[tuple[int, int, int]] = []
        self._length = 0
        self._row: list[Source] | None = None
        self._is_head = False
        self._header: tuple[str, ...] = ()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of where text belongs."""
        if tag in SILENT:
            self._silent += 1
        if tag in ENDS and not (self._code and tag == "br"):
            self.flush()
        if tag == "pre":
            self._code += 1
        if tag in ("pre", "code") and self._code:
            self._language = _language(attrs) or self._language
        if tag in HEADINGS:
            self._heading = int(tag[1])
        if tag == "table":
            self._header = ()
        if tag == "tr":
            self._row, self._is_head = [], True
        if tag == "td":
            self._is_head = False

    def handle_endtag(self, tag: str) -> None:
        """End what the tag ends."""
        if tag in SILENT:
            self._silent = max(0, self._silent - 1)
        if tag in ("td", "th") and self._row is not None:
            self._row.append(self._taken())
        elif tag in ENDS:
            self.flush()
        if tag == "pre":
            self._code, self._language = max(0, self._code - 1), ""
        if tag in HEADINGS:
            self._heading = 0
        if tag == "tr" and self._row is not None:
            self._end_row(self._row)
            self._row = None

    def _end_row(self, row: list[Source]) -> None:
        if self._is_head:
            self._header = tuple(cell.text.strip() for cell in row)
        elif row:
            self.found.append(Block(kind="row", source=row[0], header=self._header, cells=tuple(row)))

    def handle_data(self, data: str) -> None:
        """Take text, line by line, with its places."""
        if self._silent:
            return
        line, column = self.getpos()
        for number, piece in enumerate(data.split("\n")):
            if number:
                self._add("\n", line + number - 1, 1)
            self._add(piece, line + number, 1 if number else column + 1)

    def handle_entityref(self, name: str) -> None:
        """Take a named character."""
        self._reference(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Take a numbered character."""
        self._reference(f"&#{name};")

    def _reference(self, raw: str) -> None:
        if not self._silent:
            line, column = self.getpos()
            self._add(unescape(raw).replace("\xa0", " "), line, column + 1)

    def _add(self, piece: str, line: int, column: int) -> None:
        if piece:
            self._marks.append((self._length, line, column))
            self._pieces.append(piece)
            self._length += len(piece)

    def flush(self) -> None:
        """End a block of text."""
        if self._row is not None and not self._code:
            return
        source = self._taken()
        if not source.text.strip():
            return
        if self._code:
            self.found.append(Block(kind="code", source=source, language=self._language))
        elif self._heading:
            self.found.append(Block(kind="heading", source=source, level=self._heading))
        else:
            self.found.append(Block(kind="text", source=source))

    def _taken(self) -> Source:
        source = Source(self._name, "".join(self._pieces), self._marks or None)
        self._pieces, self._marks, self._length = [], [], 0
        return source


def _language(attrs: list[tuple[str, str | None]]) -> str:
    said = next((value or "" for name, value in attrs if name == "class"), "")
    names = [
        word.split("-", 1)[1]
        for word in said.split()
        if word.startswith(("language-", "lang-", "highlight-"))
    ]
    return names[0].lower() if names else ""
