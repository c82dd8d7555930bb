"""Blocks of a document to parts: claims, lines, and what is written in its code."""

import re
from collections.abc import Callable, Iterator

from codeblue.model.config.document import Claim, Line, Mention
from codeblue.model.config.place import Source
from codeblue.sources.config.documents import code, silence
from codeblue.sources.config.documents.block import Block
from codeblue.sources.config.documents.mentions import mentions, names
from codeblue.sources.config.documents.tables import cells

DIGIT = re.compile(r"\d")
BAR = " | "
LARGEST = 2 << 20
"""Characters. A larger document was made by a program."""


def parts(source: Source, blocks: Callable[[Source], Iterator[Block]]) -> Iterator[object]:
    """Yield what a document says; history and examples of what is wrong say nothing."""
    if len(source.text) > LARGEST or silence.is_history(source.name):
        return
    outline = silence.Outline()
    before = ""
    for block in blocks(source):
        if block.kind == "heading":
            outline.enter(block.level, block.source.text)
            before = block.source.text
            continue
        if not outline.is_history:
            yield from _block(block, outline.text, before)
        before = _last_words(block, before)


def _last_words(block: Block, before: str) -> str:
    """Return the words that stand before the next block."""
    if block.kind == "text":
        return block.source.text[-300:]
    return before if block.kind == "row" else ""


def _block(block: Block, around: str, before: str) -> Iterator[object]:
    if block.kind == "code":
        if not silence.WRONG.search(before.strip().split("\n")[-1]):
            yield from code.parts(block)
            named = tuple(names(block.source))
            if named:
                yield Claim(source=block.source, mentions=named, code=True, around=around)
    elif block.kind == "row":
        yield from _row(block, around)
    elif not silence.DATED.search(block.source.text):
        yield from _sentences(block.source, around)


def _sentences(source: Source, around: str) -> Iterator[object]:
    for start, end in sentences(source.text):
        sentence = source.part(start, end)
        yield Line(source=sentence)
        if not DIGIT.search(sentence.text):
            continue
        found = _sorted([*mentions(sentence), *names(sentence)])
        if found and not silence.DENIED.search(sentence.text):
            yield Claim(source=sentence, mentions=found, around=around)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a paragraph begin and end."""
    at = 0
    for found in re.finditer(r"[。！？；]|[.!?;](?=\s+\S)", text):
        if not re.search(r"\b(?:e\.g|i\.e|vs|etc|min|max|No|approx)$", text[at : found.start()]):
            yield at, found.end()
            at = found.end()
    if text[at:].strip():
        yield at, len(text)


def _row(block: Block, around: str) -> Iterator[object]:
    yield from _labelled(block)
    whole: list[str] = []
    marks: list[tuple[int, int, int]] = []
    found: list[Mention] = []
    offset = 0
    for cell, said in cells(block):
        marks.append((offset, *cell.point(0)))
        whole.append(cell.text)
        found += [_moved(one, offset) for one in [*said, *names(cell)]]
        offset += len(cell.text) + len(BAR)
    text = BAR.join(whole)
    if found and not silence.DENIED.search(text):
        row = Source(block.source.name, text, marks)
        heads = " ".join(block.header)
        yield Claim(source=row, mentions=_sorted(found), row=True, around=f"{around} / {heads}")


def _labelled(block: Block) -> Iterator[Line]:
    """Yield the cells with what their column, or the first cell of their row, calls them."""
    for cell, label in zip(block.cells, block.header, strict=False):
        yield Line(source=cell, label=label.strip())
    if len(block.cells) > 1:
        yield Line(source=block.cells[1], label=block.cells[0].text.strip())


def _moved(one: Mention, by: int) -> Mention:
    return Mention(
        kind=one.kind,
        value=one.value,
        bound=one.bound,
        start=one.start + by,
        end=one.end + by,
        place=one.place,
    )


def _sorted(found: list[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(found, key=lambda one: (one.start, one.kind)))
