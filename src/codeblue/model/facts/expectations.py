"""What the site expects of this machine."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Section
from codeblue.model.site import Size, SizeOrUnlimited, VersionRule


class Expectations(Section, frozen=True, kw_only=True):
    """The tables ``[expect]`` and ``[[host]]`` of the site's codeblue.toml that concern this machine.

    ``null`` means: the site expects nothing of this. The section is missing where no file expects anything.
    """

    NAME: ClassVar[str] = "expectations"

    gpus: Fact[int | None] = UNREAD
    gpu: Fact[list[str] | None] = UNREAD
    """Words of the model names that are allowed."""
    driver: Fact[VersionRule | None] = UNREAD
    cuda: Fact[VersionRule | None] = UNREAD
    torch: Fact[VersionRule | None] = UNREAD
    ecc: Fact[bool | None] = UNREAD
    persistence: Fact[bool | None] = UNREAD
    mig: Fact[bool | None] = UNREAD
    shm: Fact[Size | None] = UNREAD
    memlock: Fact[SizeOrUnlimited | None] = UNREAD
    files: Fact[int | None] = UNREAD
    host_unknown: Fact[bool] = UNREAD
    """True if the file has ``[[host]]`` tables that could not be tried: the host's real name is not known."""
