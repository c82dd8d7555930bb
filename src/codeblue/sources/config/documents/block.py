"""The blocks that every format of documents is made of."""

from msgspec import Struct

from codeblue.model.config.place import Source


class Block(Struct, frozen=True, kw_only=True):
    """A stretch of a document with one meaning."""

    kind: str
    """``text``, ``heading``, ``row``, ``code``."""
    source: Source
    """Its characters; marks of the format are blanks, so that offsets keep their places."""
    level: int = 0
    """Of a heading, 1 is the highest."""
    language: str = ""
    """Of code, in small letters; empty if nobody said."""
    header: tuple[str, ...] = ()
    """Of a row: the names of the columns."""
    cells: tuple[Source, ...] = ()
    """Of a row."""
