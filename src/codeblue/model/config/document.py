"""Documents: what their sentences and tables say of versions."""

import re
from functools import cached_property

from msgspec import Struct

from codeblue.model.config.place import Place, Source


class Mention(Struct, frozen=True, kw_only=True):
    """Something with a version, or a name that holds one."""

    kind: str
    """``driver``, ``branch``, ``cuda``, ``toolkit``, ``torch``, ``torchvision``, ``torchaudio``, ``gpu``,
    ``capability``, ``cudnn``, ``container-toolkit``, ``image``, ``wheel``, ``index``."""
    value: str
    bound: str = ""
    """``least`` for *580 or newer*, ``most`` for *up to 580*, empty for exactly this."""
    start: int
    """Offsets in the text of the claim."""
    end: int
    place: Place


class Claim(Struct, frozen=True, kw_only=True, dict=True):
    """One sentence or table row that names versions; history and wrong examples are left out."""

    source: Source
    """Its text, marks of the format blanked out, places kept."""
    mentions: tuple[Mention, ...]
    row: bool = False
    """True for a row of a table; mentions then come from cells whose column says what they are."""
    code: bool = False
    """True for a block of code, of which only names are read."""
    around: str = ""
    """The headings above it, and those of the table."""

    @cached_property
    def text(self) -> str:
        """Its text in one line."""
        return self.source.text.replace("\n", " ")

    def all(self, kind: str) -> list[Mention]:
        """Return the mentions of a kind."""
        return [one for one in self.mentions if one.kind == kind]

    def one(self, kind: str) -> Mention | None:
        """Return the mention of a kind, if there is exactly one."""
        found = self.all(kind)
        return found[0] if len(found) == 1 else None

    def between(self, one: Mention, other: Mention) -> str:
        """Return the text between two mentions, whichever comes first."""
        first, second = sorted((one, other), key=lambda mention: mention.start)
        return self.text[first.end : second.start]

    def says(self, pattern: str) -> bool:
        """Tell whether the pattern is found in it, in any case."""
        return re.search(pattern, self.text, re.IGNORECASE) is not None


class Line(Struct, frozen=True, kw_only=True):
    """One line of text of a document: a sentence, an item, a cell with its label."""

    source: Source
    label: str = ""
    """What the column of the table, or the first cell of the row, says of it."""
