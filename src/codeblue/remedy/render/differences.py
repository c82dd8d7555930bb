"""The unified diffs within the preview of a step, one for each file."""

import re
from collections.abc import Iterator, Sequence

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def differences(shows: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield path and difference of each file; other lines of the preview are left out.

    Lines are counted as the hunks say: a removed line may look like the head of the next file.
    """
    at = 0
    while at + 2 < len(shows):
        if not (shows[at].startswith("--- ") and shows[at + 1].startswith("+++ ")):
            at += 1
            continue
        path, begin = shows[at + 1][4:], at
        at += 2
        while at < len(shows) and (hunk := HUNK.match(shows[at])):
            at = _behind(shows, at + 1, int(hunk.group(1) or 1), int(hunk.group(2) or 1))
        yield path, "".join(f"{line}\n" for line in shows[begin:at])


def _behind(shows: Sequence[str], at: int, old: int, new: int) -> int:
    """Return where a hunk with so many old and new lines ends."""
    while at < len(shows) and (old > 0 or new > 0):
        sign = shows[at][:1]
        old -= sign in " -"
        new -= sign in " +"
        at += 1
    return at
