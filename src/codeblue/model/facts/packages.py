"""Facts about the distribution's packages of driver, CUDA and kernel."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Package(Row, frozen=True, kw_only=True):
    """One installed package."""

    version: Fact[str] = UNREAD
    """As the package manager writes it, e.g. ``580.95.05-0ubuntu0.24.04.2``."""
    held: Fact[bool] = UNREAD
    """``apt-mark hold`` keeps it from being upgraded; not read on systems with RPM."""
    whole: Fact[bool] = UNREAD
    """False if it is only half installed or not configured."""


class PackageChange(Row, frozen=True, kw_only=True):
    """One line of the package manager's log."""

    time: Fact[str] = UNREAD
    """Local time, ``2026-11-30T12:00:00``."""
    action: Fact[str] = UNREAD
    """``install``, ``upgrade`` or ``remove``."""
    package: Fact[str] = UNREAD
    old: Fact[str | None] = UNREAD
    new: Fact[str | None] = UNREAD


class Packages(Section, frozen=True, kw_only=True):
    """Packages of driver, CUDA, container engine and kernel. Absent: neither dpkg nor rpm is in use."""

    NAME: ClassVar[str] = "packages"
    TABLE: ClassVar[str] = "installed"

    manager: Fact[str] = UNREAD
    """``dpkg`` or ``rpm``."""
    installed: Fact[dict[str, Package]] = UNREAD
    """By name."""
    changes: Fact[list[PackageChange] | None] = UNREAD
    """The newest 200 of the last 90 days, oldest first; None if there is no log."""
    unattended: Fact[bool] = UNREAD
    """APT installs upgrades by itself."""
    unattended_excluded: Fact[list[str]] = UNREAD
    """Package patterns that it leaves alone."""
