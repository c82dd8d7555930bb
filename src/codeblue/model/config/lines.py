"""Configuration files of a host that are lines, not trees."""

from msgspec import Struct

from codeblue.model.config.place import Place
from codeblue.model.config.shell import Word


class Entry(Struct, frozen=True, kw_only=True):
    """``key = value``."""

    name: str
    value: str
    """Quotes around the whole of it are taken away, where the program does so."""
    place: Place
    """Of the key."""
    value_place: Place
    section: str = ""
    """In ``[section]``, or in a block such as ``Match``; empty outside of any."""


class Unit(Struct, frozen=True, kw_only=True):
    """A unit of systemd, or a drop-in for one."""

    name: str
    """Such as ``slurmd.service``; of a drop-in the unit that it belongs to."""
    drop_in: bool
    sections: tuple[tuple[str, Place], ...]
    entries: tuple[Entry, ...]

    def all(self, section: str, *names: str) -> tuple[Entry, ...]:
        """Return the entries of these names in a section."""
        return tuple(one for one in self.entries if one.section == section and one.name in names)


class Slurm(Struct, frozen=True, kw_only=True):
    """``slurm.conf``, ``gres.conf`` or ``cgroup.conf``, with those that lie beside it."""

    name: str
    lines: tuple[tuple[Entry, ...], ...]
    """One for each line that says something."""
    beside: dict[str, "Slurm"] = {}
    """The others of the three in the same folder, by name."""

    def last(self, key: str) -> Entry | None:
        """Return the entry of a global key that counts; the case does not matter."""
        found = [line[0] for line in self.lines if line[0].name.lower() == key.lower()]
        return found[-1] if found else None

    def starting(self, key: str) -> list[tuple[Entry, ...]]:
        """Return the lines that begin with a key, such as ``NodeName``."""
        return [line for line in self.lines if line[0].name.lower() == key.lower()]


class SshdConfig(Struct, frozen=True, kw_only=True):
    """``sshd_config`` or a file that it includes."""

    entries: tuple[Entry, ...]


class Jupyter(Struct, frozen=True, kw_only=True):
    """What a configuration of Jupyter sets; values that a program computes are left out."""

    name: str
    """Of the file, without its folder."""
    entries: tuple[Entry, ...]
    """``section`` is the class, such as ``ServerApp``; ``value`` as Python writes it."""


class Boot(Struct, frozen=True, kw_only=True):
    """Words for the kernel's command line."""

    owner: str
    """The variable of GRUB, or empty for a file that is the line itself."""
    words: tuple[Word, ...]
    whole: tuple[Word, ...] = ()
    """Those of every line in the file, since they end up in one."""


class Grub(Struct, frozen=True, kw_only=True):
    """``/etc/default/grub`` and the files of ``grub.d``, as a shell sees them."""

    entries: tuple[Entry, ...]
    """``value`` is as written, with its quotes."""
    astray: tuple[Word, ...]
    """Words that the shell takes for commands."""


class Modprobe(Struct, frozen=True, kw_only=True):
    """A file of ``modprobe.d``."""

    name: str
    lines: tuple[tuple[Word, ...], ...]


class Limits(Struct, frozen=True, kw_only=True):
    """``limits.conf`` or a file of ``limits.d``."""

    name: str
    lines: tuple[tuple[Word, ...], ...]


class Udev(Struct, frozen=True, kw_only=True):
    """A file of udev rules; a rule is its terms, each as key, operator and value."""

    rules: tuple[tuple["Term", ...], ...]


class Term(Struct, frozen=True, kw_only=True):
    """``KEY=="value"``."""

    key: str
    """With what stands in braces, such as ``ATTR{vendor}``."""
    operator: str
    value: str
    place: Place
    operator_place: Place


class Apt(Struct, frozen=True, kw_only=True):
    """A file of ``apt.conf.d``: every scope with its values."""

    entries: tuple[Entry, ...]


class EnvFile(Struct, frozen=True, kw_only=True):
    """``NAME=value`` lines for ``--env-file``, Compose or systemd."""

    lines: tuple[Word, ...]
    """As written, without comments and empty lines."""


class PipConf(Struct, frozen=True, kw_only=True):
    """``pip.conf``."""

    entries: tuple[Entry, ...]
