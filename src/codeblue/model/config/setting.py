"""Environment variables that a file sets, in whatever kind of file."""

from msgspec import Struct

from codeblue.model.config.place import Place


class Setting(Struct, frozen=True, kw_only=True):
    """One variable."""

    name: str
    value: str | None
    """None if it is taken from elsewhere, or computed."""
    place: Place
    """Of the name."""
    value_place: Place | None = None
    owner: str = ""
    """Who gets it, such as ``container trainer`` or ``stage build``; empty for the whole file."""
    written: str = ""
    """The value as the file has it, where variables are left in it; empty where a reader does not tell."""
    init: bool = False
    """True if only a container that runs before the job gets it."""
    exported: bool = True
    """False if a shell keeps it for itself."""


class Settings(Struct, frozen=True, kw_only=True):
    """All variables that one process gets from a file, in their order."""

    owner: str
    settings: tuple[Setting, ...]

    def last(self, name: str) -> Setting | None:
        """Return the setting that counts."""
        return next((one for one in reversed(self.settings) if one.name == name), None)
