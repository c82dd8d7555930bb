"""The signatures of a catalogue, numbered, as expressions that every engine can search."""

from collections.abc import Collection, Iterator

from codeblue.sources.logs import Member, Signatures

RARE = 9
"""Characters. Shorter literals are common in healthy lines."""
FINAL_ERROR = r"[A-Za-z_](?:Error|Exception|Interrupt)|fatal error|FATAL"
"""Every line that ends a program like ``logs.FINAL_ERROR`` contains this, and one of these words."""
FINAL_WORDS = ("Error", "Exception", "Interrupt", "fatal error", "FATAL")


class Rules:
    """Numbers stand for signatures; the one after the last, ``error``, for the final error of a program."""

    def __init__(self, signatures: Signatures) -> None:
        self._members = list(signatures.all())
        self.sources = [one.pattern for _, one in self._members]
        self.anchor_of = [one.anchor for _, one in self._members]
        self.error = len(self._members)
        self._sharing: dict[str, list[int]] = {}
        for number, anchor in enumerate(self.anchor_of):
            self._sharing.setdefault(anchor, []).append(number)

    def members(self, numbers: Collection[int], line: str, without: Collection[str] = ()) -> Iterator[Member]:
        """Yield the signatures that events of a line stand for and whose anchor it contains, in their order.

        A complement stands for all that share its anchor. Those of the faults in ``without`` are
        passed over, which may become more meanwhile.
        """
        meant: set[int] = set()
        for number in numbers:
            meant.update((number,) if number >= 0 else self._sharing[self.anchor_of[~number]])
        meant.discard(self.error)
        for number in sorted(meant):
            member = self._members[number]
            if member[0] not in without and member[1].anchor in line:
                yield member

    def pattern(self, number: int) -> str:
        """Return the loosened pattern of a signature; to parse all of them takes a while."""
        from codeblue.sources.scan.loosen import loosened  # not where a database of them is kept

        return loosened(self.sources[number])

    def patterns(self) -> list[tuple[int, str]]:
        """Return all patterns: what they find are nearly always sightings."""
        return [*((number, self.pattern(number)) for number in range(self.error)), (self.error, FINAL_ERROR)]
