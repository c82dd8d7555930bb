"""Many lines at once without terminal escapes and control characters, like ``logs.clean`` for one."""

import re

CONTROL = rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]"
CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
C1 = re.compile(rb"\xc2[\x80-\x9f]")
ESCAPE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b(?:[\xc0-\xff][\x80-\xbf]*|.)"
)
KEPT = CONTROLS.replace(b"\r", b"")
PIECE = 64 << 10
"""Bytes in which ends of lines are counted at a time: few enough to stay near the processor."""


def tidied(text: bytes) -> tuple[bytes, bytes]:
    """Return the text without control characters, for counting lines and for searching them.

    Both have the same length. A progress bar goes back to the start of its line over and over:
    for the search each time is a line of its own, for counting it is one line.
    """
    if b"\x1b" in text:
        text = ESCAPE.sub(b"", text)
    if b"\xc2" in text:
        text = C1.sub(b"", text)
    text = text.translate(None, KEPT)
    return text, text.replace(b"\r", b"\n") if b"\r" in text else text


def ends(text: bytes, start: int, end: int) -> int:
    """Return how many lines end in a part of a text."""
    count = 0
    for at in range(start, end, PIECE):
        piece = text[at : min(end, at + PIECE)]
        # Python counts a character one by one, but looks for the next one to take out in great steps.
        count += len(piece) - len(piece.replace(b"\n", b""))
    return count


def plain(raw: bytes) -> str:
    """Return a line of a tidied text like ``logs.clean``."""
    return decoded(raw).rstrip()


def decoded(raw: bytes) -> str:
    """Return the text of a line: UTF-8, or else what Western Europe used before."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end == len(raw) and error.reason == "unexpected end of data":
            return raw.decode("utf-8", "replace")
        # Unlike ISO 8859-1 this has no control characters, which would be taken out again.
        return raw.decode("cp1252", "replace")
