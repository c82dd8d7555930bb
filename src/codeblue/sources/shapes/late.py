"""Patterns that are compiled when they are first used: in most texts most of them are not."""

import re
import sys
from typing import Match, Optional, Pattern


class Late:
    """Searches like a compiled pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled: Optional[Pattern[str]] = None

    def _ready(self) -> Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.pattern)
        return self._compiled

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> Optional[Match[str]]:
        """Return the match at the start of a part of the text."""
        return self._ready().match(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> Optional[Match[str]]:
        """Return the first match in a part of the text."""
        return self._ready().search(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> Optional[Match[str]]:
        """Return the match that takes all of a part of the text."""
        return self._ready().fullmatch(text, start, end)
