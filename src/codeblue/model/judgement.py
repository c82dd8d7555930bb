"""What the version matrix says of a combination, with the rule, the source and its date."""

from enum import Enum

from msgspec import Struct

from codeblue.model.combination import Combination
from codeblue.model.text import Message


class Answer(str, Enum):
    """What one rule says."""

    YES = "yes"
    IF = "if"
    """Yes, under a condition."""
    NO = "no"
    UNKNOWN = "unknown"
    """The tables do not say, or say it from memory only. Never printed as a yes."""
    NOTE = "note"
    """Says nothing against the combination, but is worth knowing: a security floor, an end of life."""


class Source(Struct, frozen=True):
    """Where a row of the tables comes from."""

    row: str
    """Table and row, as ``drivers/535``."""
    words: tuple[str, ...]
    """The documents behind the row."""


class Judgement(Struct, frozen=True, kw_only=True):
    """The answer of one rule on some parts of a combination."""

    rule: str
    answer: Answer
    parts: tuple[str, ...]
    """Names of the parts that it is about."""
    text: Message
    sources: tuple[Source, ...] = ()
    way: Message | None = None
    """What would have to change for a yes."""


class Verdict(str, Enum):
    """The answer to the whole question."""

    COMPATIBLE = "compatible"
    INCOMPATIBLE = "incompatible"
    UNKNOWN = "unknown"


class Judged(Struct, frozen=True, kw_only=True):
    """A combination with everything that the rules say of it."""

    combination: Combination
    judgements: tuple[Judgement, ...]
    assumed: tuple[Message, ...] = ()
    """What was taken for granted where nothing was said."""

    @property
    def verdict(self) -> Verdict:
        """Return the whole answer: one no is enough for a no, one unknown for an unknown."""
        answers = {one.answer for one in self.judgements}
        if Answer.NO in answers:
            return Verdict.INCOMPATIBLE
        if Answer.UNKNOWN in answers or not answers & {Answer.YES, Answer.IF}:
            return Verdict.UNKNOWN
        return Verdict.COMPATIBLE

    def said(self, answer: Answer) -> list[Judgement]:
        """Return the judgements with this answer."""
        return [one for one in self.judgements if one.answer is answer]
