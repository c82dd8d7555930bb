"""Results by what they depend on, as many as are worth the memory."""

from typing import Any, Generic, TypeVar

MOST = 2000
"""Results that are remembered."""

FIRST = 32
"""Nodes that must differ in a fact before it counts as one that differs everywhere."""

T = TypeVar("T")


class Known(Generic[T]):
    """Results by what they depend on; when there are too many, none."""

    def __init__(self) -> None:
        self._results: dict[Any, T] = {}
        self._hits = 0
        self._misses = 0

    def get(self, key: Any) -> T | None:
        """Return the result of this key, None if it is not known."""
        found = self._results.get(key)
        if found is None:
            self._misses += 1
        else:
            self._hits += 1
        return found

    def put(self, key: Any, result: T) -> T:
        """Remember a result and return it."""
        if len(self._results) >= MOST:
            self._results.clear()
        self._results[key] = result
        return result

    @property
    def worth(self) -> bool:
        """False if what was last looked up will hardly be asked for again; now and then it is tried."""
        return self._misses <= FIRST or 2 * self._hits > self._misses or self._misses % FIRST == 0
