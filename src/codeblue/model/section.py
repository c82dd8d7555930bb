"""Facts with a state: *absent* (looked, not there) is not *unread* (could not look)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from threading import local
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar, Union

from msgspec import UNSET, Struct, UnsetType, structs

T = TypeVar("T")

if TYPE_CHECKING:
    Fact: TypeAlias = Annotated[T, "a fact"]
else:
    # At run time a fact may be unset. Type checkers see the plain type, because
    # reading an unset fact raises NotRead instead of handing out a third value.
    Fact = Union[T, UnsetType]  # noqa: UP007 - subscripted at run time, where X | Y cannot be

UNREAD: Any = UNSET

Unread: TypeAlias = UnsetType
"""The type of UNREAD, for rules that tell it from absent: ``cuda: Cuda | Unread | None = UNREAD``."""


class State(str, Enum):
    """What became of the attempt to read a section or a fact."""

    READ = "read"
    ABSENT = "absent"
    DENIED = "denied"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNSUPPORTED = "unsupported"
    BUSY = "busy"
    NOT_ATTEMPTED = "not-attempted"


class NotRead(Exception):
    """A rule asked for a fact that was not read. ``str()`` is ``section.fact: state``."""

    def __init__(self, what: str, detail: str = "") -> None:
        super().__init__(what)
        self.detail = detail
        """The reader's own words, for people."""


class Row(Struct, frozen=True, kw_only=True):
    """One row of a section's table; an unset field raises :class:`NotRead` when touched.

    A row may have a field ``unread`` that tells for single facts why they are missing.
    """

    if not TYPE_CHECKING:

        def __getattribute__(self, name: str) -> Any:
            value = object.__getattribute__(self, name)
            if value is UNSET:
                _note(name)
                unread = object.__getattribute__(self, "unread") if "unread" in self.__struct_fields__ else {}
                state = unread.get(name, State.NOT_ATTEMPTED.value)
                raise NotRead(f"{type(self).__name__.lower()}.{name}: {state}")
            return value


class Section(Struct, frozen=True, kw_only=True):
    """The facts of one reader.

    ``state`` says how the reader fared, ``reason`` why when it is not ``read``;
    ``source`` is the file or command behind the facts, ``sources`` the exceptions
    by field; ``unread`` tells for single facts why they are missing.
    """

    NAME: ClassVar[str] = ""
    TABLE: ClassVar[str] = ""

    state: State = State.READ
    reason: str = ""
    source: str = ""
    sources: dict[str, str] = {}
    unread: dict[str, State] = {}
    seconds: float = 0.0

    if not TYPE_CHECKING:

        def __getattribute__(self, name: str) -> Any:
            value = object.__getattribute__(self, name)
            if value is UNSET:
                _note(name)
                raise NotRead(f"{type(self).NAME}.{name}: {why_unread(self, name).value}")
            return value


def was_read(where: Row | Section, field: str) -> bool:
    """True if the fact was read: for a rule that has other evidence where it was not."""
    if _raw(where, field) is not UNSET:
        return True
    _note(field)
    return False


@contextmanager
def missed() -> Iterator[set[str]]:
    """Give the names of the facts that somebody asks for, meanwhile, and that were not read."""
    names: set[str] = set()
    _here.listening.append(names)
    try:
        yield names
    finally:
        _here.listening.pop()


class _Here(local):
    """Who listens in this thread."""

    def __init__(self) -> None:
        self.listening: list[set[str]] = []


_here = _Here()


def _note(name: str) -> None:
    for names in _here.listening:
        names.add(name)


def why_unread(section: Section, field: str) -> State:
    """Return why ``field`` is missing from ``section``."""
    if section.state is not State.READ:
        return section.state
    return section.unread.get(field, State.NOT_ATTEMPTED)


def united(found: Iterable[Section]) -> dict[str, Section]:
    """Return one section of each name; where two tell the same fact, the first is kept."""
    whole: dict[str, Section] = {}
    for section in found:
        known = whole.get(section.NAME)
        whole[section.NAME] = _joined(known, section) if known is not None else section
    return whole


def _joined(first: Section, second: Section) -> Section:
    changes: dict[str, object] = {"sources": second.sources | first.sources}
    for field in second.__struct_fields__:
        old, new = _raw(first, field), _raw(second, field)
        if field in Section.__struct_fields__ or new is UNSET:
            continue
        if old is UNSET:
            changes[field] = new
            if field not in first.sources and second.source:
                changes["sources"] = {**second.sources, **first.sources, field: second.source}
        elif isinstance(old, dict) and isinstance(new, dict):
            changes[field] = new | old | {key: _row(old[key], new[key]) for key in old.keys() & new.keys()}
    return structs.replace(first, **changes)


def _row(first: object, second: object) -> object:
    """Return the first row with the facts that only the second tells, if both are about one device.

    Commands number devices in their own way; where both tell the PCI address, it decides.
    """
    if not isinstance(first, Row) or type(first) is not type(second) or "pci" not in first.__struct_fields__:
        return first
    known = {name: value for name in first.__struct_fields__ if (value := _raw(first, name)) is not UNSET}
    told = {name: value for name in first.__struct_fields__ if (value := _raw(second, name)) is not UNSET}
    if known.get("pci", told.get("pci")) != told.get("pci", known.get("pci")):
        return first
    return structs.replace(first, **(told | known))


def _raw(where: object, field: str) -> object:
    """Return a field of a section or a row without asking whether it was read."""
    return object.__getattribute__(where, field)
