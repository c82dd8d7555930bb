"""The commands of a shell line as words, each with its place. Nothing is run, and nothing filled in."""

from collections.abc import Iterator
from typing import NamedTuple

ENDS = ";&|\n()"
BLANK = " \t"


class Word(NamedTuple):
    """One word without its quotes."""

    text: str
    offset: int
    expands: bool = True
    """No part of it was in single quotes."""
    lost: str = ""
    """What the shell takes for a redirection right behind it: ``>=2.4`` of ``torch>=2.4`` without quotes."""


def commands(text: str) -> Iterator[list[Word]]:
    """Yield the commands, split at ``&&``, ``||``, ``;``, ``|``, ``&``, brackets and line ends."""
    reader = _Reader(text)
    while reader.position < len(text):
        found = reader.command()
        if found:
            yield found


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.position = 0

    def command(self) -> list[Word]:
        """Return the words up to the end of the command."""
        words: list[Word] = []
        while self.position < len(self._text):
            character = self._text[self.position]
            if character in ENDS:
                self.position += 1
                break
            if character in BLANK:
                self.position += 1
            elif character == "#":
                self.position = self._find("\n", self.position)
            elif character in "<>":
                self._redirection(words)
            else:
                words.append(self._word())
        return words

    def _redirection(self, words: list[Word]) -> None:
        begin = self.position
        touches = bool(words) and begin > 0 and self._text[begin - 1] not in BLANK
        while self.position < len(self._text) and self._text[self.position] in "<>&|":
            self.position += 1
        while self.position < len(self._text) and self._text[self.position] in BLANK:
            self.position += 1
        if self.position < len(self._text) and self._text[self.position] not in ENDS + "<>":
            self._word()
        if touches and words[-1].text.isdigit():
            words.pop()
        elif touches:
            words[-1] = words[-1]._replace(lost=self._text[begin : self.position])

    def _word(self) -> Word:
        begin = self.position
        parts: list[str] = []
        expands = True
        while self.position < len(self._text):
            character = self._text[self.position]
            if character in ENDS or character in BLANK or character in "<>":
                break
            if character == "'":
                expands = False
            parts.append(self._part(character))
        return Word("".join(parts), begin, expands)

    def _part(self, character: str) -> str:
        """Return the next piece of a word: a quoted text, a substitution, or one character."""
        begin = self.position
        if character == "'":
            end = self._find("'", begin + 1)
            self.position = end + 1
            return self._text[begin + 1 : end]
        if character == '"':
            return self._quoted()
        if character == "\\":
            self.position = min(begin + 2, len(self._text))
            return self._text[begin + 1 : self.position].replace("\n", "")
        if self._text.startswith("$(", begin):
            self.position = self._closing(begin + 1)
            return self._text[begin : self.position]
        if character == "`":
            self.position = self._find("`", begin + 1) + 1
            return self._text[begin : self.position]
        self.position += 1
        return character

    def _quoted(self) -> str:
        parts: list[str] = []
        self.position += 1
        while self.position < len(self._text) and self._text[self.position] != '"':
            character = self._text[self.position]
            if character == "\\" and self._text[self.position + 1 : self.position + 2] in (
                '"',
                "\\",
                "$",
                "`",
            ):
                parts.append(self._text[self.position + 1])
                self.position += 2
            elif self._text.startswith("$(", self.position):
                end = self._closing(self.position + 1)
                parts.append(self._text[self.position : end])
                self.position = end
            else:
                parts.append(character)
                self.position += 1
        self.position += 1
        return "".join(parts)

    def _closing(self, position: int) -> int:
        """Return the place behind the bracket that closes the one at ``position``."""
        depth = 0
        for place in range(position, len(self._text)):
            depth += {"(": 1, ")": -1}.get(self._text[place], 0)
            if depth == 0:
                return place + 1
        return len(self._text)

    def _find(self, wanted: str, begin: int) -> int:
        found = self._text.find(wanted, begin)
        return found if found >= 0 else len(self._text)
