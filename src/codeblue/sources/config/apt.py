"""APT's configuration: nested scopes, and lists of values."""

import re
from collections.abc import Iterator

from codeblue.model.config.lines import Apt, Entry
from codeblue.model.config.place import Source
from codeblue.model.text import message
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import refuse_template

TOKEN = re.compile(
    r'(?P<skip>\s+|//[^\n]*|#[^\n]*|/\*.*?\*/)|(?P<mark>[{};])|(?P<word>"[^"\n]*"|[^\s{};"]+)', re.DOTALL
)


def read(source: Source) -> Iterator[object]:
    """Yield every value with its scope; ``section`` is the scope, ``name`` the key in it. Raises Broken."""
    refuse_template(source)
    entries: list[Entry] = []
    scopes: list[tuple[str, int]] = []
    words: list[tuple[int, int]] = []
    at = 0
    while at < len(source.text):
        token = TOKEN.match(source.text, at)
        if token is None:
            raise Broken(source.place(at, at + 1), message("this quote is not closed", "这个引号没有闭合"))
        at = token.end()
        if token["word"]:
            words.append(token.span())
        elif token["mark"] == "{":
            scopes.append((_plain(source, words), token.start()))
            words = []
        elif token["mark"] == ";":
            entries += _entries(source, "::".join(name for name, _ in scopes if name), words)
            words = []
        elif token["mark"] == "}":
            # APT takes a bracket for the end of the value before it.
            entries += _entries(source, "::".join(name for name, _ in scopes if name), words)
            words = []
            if not scopes:
                raise Broken(source.place(*token.span()), message("no { belongs to this", "没有与之对应的 {"))
            scopes.pop()
    if scopes:
        place = source.place(scopes[-1][1], scopes[-1][1] + 1)
        raise Broken(place, message("this { is not closed", "这个 { 没有闭合"))
    if words:
        raise Broken(source.place(*words[-1]), message("no ; behind this value", "这个值后面缺少 ;"))
    yield Apt(entries=tuple(entries))


def _plain(source: Source, words: list[tuple[int, int]]) -> str:
    return "::".join(source.text[slice(*word)].strip('"').strip(":") for word in words)


def _entries(source: Source, scope: str, words: list[tuple[int, int]]) -> Iterator[Entry]:
    if not words:
        return
    name = words[0] if len(words) > 1 else (words[0][0], words[0][0])
    yield Entry(
        name=source.text[slice(*name)],
        value=source.text[slice(*words[-1])].strip('"'),
        place=source.place(*words[0]),
        value_place=source.place(*words[-1]),
        section=scope,
    )
