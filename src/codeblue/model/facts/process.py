"""Facts about the judged user and the surroundings of the job's process."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class User(Section, frozen=True, kw_only=True):
    """The user for whom access is judged."""

    NAME: ClassVar[str] = "user"

    uid: Fact[int] = UNREAD
    gid: Fact[int] = UNREAD
    groups: Fact[dict[str, int]] = UNREAD
    """Group name to number; names outside the system's own are pseudonyms."""
    name: Fact[str | None] = UNREAD
    """None if the number has no passwd entry."""
    judged_as: Fact[str] = UNREAD
    """``self``, ``--as-user`` or ``pid`` (the user of the judged process)."""


class LoginFile(Row, frozen=True, kw_only=True):
    """Who may change a file or folder on which a login by key depends."""

    mode: Fact[str] = UNREAD
    """Four octal digits."""
    uid: Fact[int] = UNREAD
    """Number of its owner."""
    private_group: Fact[bool] = UNREAD
    """True if its group has no member but its owner."""


class Login(Section, frozen=True, kw_only=True):
    """What sshd judges before it takes a key: ``~``, ``~/.ssh`` and ``~/.ssh/authorized_keys`` of the user.

    Absent: there are no keys, or the user has no home.
    """

    NAME: ClassVar[str] = "login"
    TABLE: ClassVar[str] = "files"

    files: Fact[dict[str, LoginFile]] = UNREAD


class Limit(Row, frozen=True, kw_only=True):
    """One resource limit; None is unlimited."""

    soft: Fact[int | None] = UNREAD
    hard: Fact[int | None] = UNREAD


class Limits(Section, frozen=True, kw_only=True):
    """Resource limits of the process, by name (``address_space``, ``memlock``, ``files``, …)."""

    NAME: ClassVar[str] = "limits"
    TABLE: ClassVar[str] = "limits"

    limits: Fact[dict[str, Limit]] = UNREAD
    """Bytes or counts."""


class Filesystem(Row, frozen=True, kw_only=True):
    """One mounted file system as seen at a path."""

    kind: Fact[str | None] = UNREAD
    total: Fact[int] = UNREAD
    """Bytes."""
    free: Fact[int] = UNREAD
    """Bytes available to an ordinary user."""
    inodes: Fact[int] = UNREAD
    inodes_free: Fact[int] = UNREAD
    read_only: Fact[bool] = UNREAD
    mode: Fact[str | None] = UNREAD
    """Four octal digits of the directory."""
    writable: Fact[bool] = UNREAD
    """True if the judged user may write there."""


class Filesystems(Section, frozen=True, kw_only=True):
    """File systems a job depends on, by role: ``/dev/shm``, ``/tmp``, ``/``, ``/var``, ``home``,
    ``cwd``, ``cache`` (XDG_CACHE_HOME or ~/.cache) and ``docker`` (its data root)."""

    NAME: ClassVar[str] = "filesystems"
    TABLE: ClassVar[str] = "filesystems"

    filesystems: Fact[dict[str, Filesystem]] = UNREAD


class Cgroup(Section, frozen=True, kw_only=True):
    """The control group of the process."""

    NAME: ClassVar[str] = "cgroup"

    version: Fact[int] = UNREAD
    """1 or 2."""
    memory_max: Fact[int | None] = UNREAD
    """Bytes; None is unlimited."""
    memory_current: Fact[int | None] = UNREAD
    oom_kills: Fact[int | None] = UNREAD
    """Processes of this group killed for memory since it exists."""
    pids_max: Fact[int | None] = UNREAD
    device_rules: Fact[list[str]] = UNREAD
    """devices.list of cgroup v1; cgroup v2 rules are programs and cannot be read."""


class Container(Section, frozen=True, kw_only=True):
    """What the process can tell about a container around it. Absent: none was recognised."""

    NAME: ClassVar[str] = "container"

    engine: Fact[str] = UNREAD
    """``docker``, ``podman``, ``kubernetes``, ``containerd``, ``lxc``, ``apptainer``, ``enroot``
    or ``unknown``."""
    injected: Fact[list[str]] = UNREAD
    """Mount points of driver files that a container runtime put here."""


class Environment(Section, frozen=True, kw_only=True):
    """Environment variables of the job that GPU software reads, by name."""

    NAME: ClassVar[str] = "environment"
    TABLE: ClassVar[str] = "variables"

    variables: Fact[dict[str, str]] = UNREAD
    """Only names on an allow-list are read."""
