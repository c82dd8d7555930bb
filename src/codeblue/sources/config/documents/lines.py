"""Stretches of a text that keep their places, though something is cut away from each line."""

from collections.abc import Iterable

from codeblue.model.config.place import Source


def joined(source: Source, spans: Iterable[tuple[int, int]]) -> Source:
    """Return the spans of a source, a line each, as one source."""
    texts: list[str] = []
    marks: list[tuple[int, int, int]] = []
    offset = 0
    for start, end in spans:
        marks.append((offset, *source.point(start)))
        texts.append(source.text[start:end])
        offset += end - start + 1
    return Source(source.name, "\n".join(texts), marks or None)


def spans(text: str) -> list[tuple[int, int]]:
    """Return where the lines of a text begin and end, without their line feeds."""
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found
