"""A refused change as one line and exit code 2."""

from collections.abc import Iterator
from contextlib import contextmanager

from codeblue.model.plan import Refused
from codeblue.sources.target import Unusable


@contextmanager
def refusals() -> Iterator[None]:
    """Turn Refused into the error that ends the program with its one line."""
    try:
        yield
    except Refused as refused:
        raise Unusable(refused.line) from None
