"""Which of a program's lines of complaint says what was wrong."""

import re

ECHO = re.compile(
    r"(?:kex|ssh)_exchange_identification: |Connection (?:closed by|to) UNKNOWN |stdio forwarding failed"
)
"""With which ssh tells that the way by its jump host has ended, behind the reason."""


def last(text: bytes) -> str:
    """Return the last line that is no mere echo; empty if there is none at all."""
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if not ECHO.match(line)]
    return (telling or lines or [""])[-1]
