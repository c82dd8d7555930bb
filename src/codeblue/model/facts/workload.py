"""Facts about pods, as kubectl prints them."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Pod(Row, frozen=True, kw_only=True):
    """One pod that waits."""

    phase: Fact[str] = UNREAD
    """As printed, e.g. ``Pending`` or ``ContainerCreating``."""
    waiting: Fact[int] = UNREAD
    """Seconds that it has waited for at least."""
    since: Fact[str] = UNREAD
    """When it began, as written."""
    reason: Fact[str] = UNREAD
    """What the scheduler or the kubelet says, without a word about preemption."""


class Pods(Section, frozen=True, kw_only=True):
    """Pods that wait, out of pasted output of kubectl."""

    NAME: ClassVar[str] = "pods"
    TABLE: ClassVar[str] = "pods"

    pods: Fact[dict[str, Pod]] = UNREAD
    """By name; another namespace than the default stands before a slash."""
