"""Facts about the running process that is judged (``pid:N``)."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Section


class Process(Section, frozen=True, kw_only=True):
    """The process that was named as the target. Absent: none was."""

    NAME: ClassVar[str] = "process"

    apart: Fact[str | None] = UNREAD
    """Why nothing could be started as the process was: ``namespaces`` (of its own, which only root
    can enter), ``user`` (another user or other groups), ``denied``, ``no-program`` (a zombie)."""
    namespaces: Fact[list[str]] = UNREAD
    """Kinds of namespaces in which it lives and we do not."""
    command: Fact[str | None] = UNREAD
    """Name of the program and of the script or module; arguments are not read."""
    run_state: Fact[str] = UNREAD
    """``R``, ``S``, ``D``, ``Z`` or ``T``, of its first thread."""
    uninterruptible: Fact[bool] = UNREAD
    """True if it was in state D at two looks, 0.2 s apart."""
    waits_in: Fact[str | None] = UNREAD
    """The kernel's function in which it sleeps; None if it does not or the kernel does not tell."""
    threads: Fact[int] = UNREAD
    memory: Fact[int | None] = UNREAD
    """Resident bytes."""
    memory_peak: Fact[int | None] = UNREAD
    """Highest bytes of address space."""
    memory_locked: Fact[int | None] = UNREAD
    open_files: Fact[int | None] = UNREAD
    nodes: Fact[list[str]] = UNREAD
    """Device nodes of GPUs and of InfiniBand that it holds open."""
    age: Fact[float] = UNREAD
    """Seconds since it was started."""
    libraries: Fact[dict[str, str] | None] = UNREAD
    """Mapped libraries of GPU work: soname to file."""
    deleted_libraries: Fact[list[str]] = UNREAD
    """Mapped libraries of GPU work whose files have been deleted or replaced since."""
    seccomp: Fact[str | None] = UNREAD
    """``off``, ``strict`` or ``filter``."""
    no_new_privs: Fact[bool | None] = UNREAD
    capabilities: Fact[list[str]] = UNREAD
    """Effective ones among ``sys_admin`` and ``ipc_lock``."""
