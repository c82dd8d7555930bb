"""Text from logs and files is hostile: make it harmless for each face."""

import re

from msgspec import json, to_builtins

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#!~])")


def plain(text: str) -> str:
    """Return the text without control and bidirectional characters; line ends stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.expandtabs(4))


def line(text: str) -> str:
    """Return the text as one harmless line."""
    return " ".join(plain(text).split())


def markdown(text: str) -> str:
    """Return one line with every character that Markdown or HTML could act on escaped."""
    return _MARKDOWN.sub(r"\\\1", line(text)).replace("&", "&amp;")


def value(fact: object, limit: int = 160) -> str:
    """Return a fact as one short line."""
    text = fact if isinstance(fact, str) else json.encode(to_builtins(fact)).decode()
    short = line(text)
    return short if len(short) <= limit else short[: limit - 1] + "…"
