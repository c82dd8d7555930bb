"""``if`` in shell commands: which branches are surely not taken, with the variables as they are known."""

from collections.abc import Sequence

from codeblue.sources.manifests.shell_words import Word

EQUAL = {"=": True, "==": True, "!=": False}
EMPTY = {"-z": True, "-n": False}


class Branches:
    """Follows ``if``, ``elif``, ``else`` and ``fi`` from command to command.

    A condition that is not a plain comparison, or that has a variable without a value, may be true.
    """

    def __init__(self) -> None:
        self._taken: list[bool | None] = []
        self._earlier: list[bool] = []
        self._in_condition = False

    def runs(self, words: Sequence[Word]) -> bool:
        """Tell whether a command may run; called for each command, in order."""
        rest = list(words)
        while rest and self._keyword(rest[0].text, rest[1:]):
            rest = rest[1:]
        return False not in self._taken

    def _keyword(self, first: str, rest: Sequence[Word]) -> bool:
        """Follow the first word of a command; true if another keyword may come behind it."""
        if first == "if":
            self._taken.append(None)
            self._earlier.append(False)
        if first in ("if", "elif") and self._taken:
            self._next()
            self._taken[-1] = False if self._earlier[-1] else _holds(rest)
            self._in_condition = True
        elif first == "then":
            self._in_condition = False
        elif first == "else" and self._taken:
            self._next()
            self._taken[-1] = not self._earlier[-1]
        elif first == "fi" and self._taken:
            self._taken.pop()
            self._earlier.pop()
        elif self._in_condition and self._taken[-1:] == [True]:
            self._taken[-1] = None  # a condition of several commands
        return first in ("then", "else")

    def _next(self) -> None:
        self._earlier[-1] |= self._taken[-1] is True


def _holds(words: Sequence[Word]) -> bool | None:
    """Return what a test says; None if that is not known."""
    texts = [word.text for word in words]
    if texts[:1] not in (["["], ["[["], ["test"]):
        return None
    texts = texts[1:-1] if texts[-1] in ("]", "]]") else texts[1:]
    turned = texts[:1] == ["!"]
    texts = texts[1:] if turned else texts
    if any("$" in text or "`" in text for text in texts):
        return None
    if len(texts) == 3 and texts[1] in EQUAL and "*" not in texts[2]:
        return ((texts[0] == texts[2]) is EQUAL[texts[1]]) is not turned
    if len(texts) == 2 and texts[0] in EMPTY:
        return ((texts[1] == "") is EMPTY[texts[0]]) is not turned
    return None
