"""The facts of one node, decoded as far as somebody looks at them."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from msgspec import ValidationError, json, structs

from codeblue.fleet.rows import Node
from codeblue.model.facts import Expectations, Host, NcclTrial, NextBoot
from codeblue.model.section import UNREAD, Section, State
from codeblue.model.snapshot import SECTIONS, View
from codeblue.sources.live import section_of

SAME = "host-of-the-fleet"
"""Stands for the name of every node while it is judged: what is found must not depend on it."""
S = TypeVar("S", bound=Section)
KEPT = 4000
"""Decoded sections in memory."""


class Pool:
    """Contents of sections, as bytes for the nodes at hand and decoded where nodes share them."""

    def __init__(self, bodies: Mapping[str, bytes] | None = None) -> None:
        self._bodies = dict(bodies or {})
        self._sections: dict[tuple[str, str], Section] = {}
        """By name too: two sections that could not be read may have the same content."""

    def missing(self, wanted: Collection[str]) -> list[str]:
        """Return the hashes whose contents are not at hand."""
        return [digest for digest in wanted if digest not in self._bodies]

    def hold(self, more: Mapping[str, bytes], wanted: Collection[str]) -> None:
        """Keep what the next nodes want, and only that."""
        self._bodies = {digest: self._bodies[digest] for digest in wanted if digest in self._bodies}
        self._bodies.update(more)

    def __contains__(self, digest: str) -> bool:
        return digest in self._bodies

    def raw(self, digest: str) -> dict[str, Any]:
        """Return a section as the probe sent it. Raises KeyError if the store has lost it."""
        content: dict[str, Any] = json.decode(self._bodies[digest])
        return content

    def section(self, name: str, digest: str) -> Section:
        """Return a section; one that does not have the agreed shape says so in its state."""
        if (known := self._sections.get((name, digest))) is not None:
            return known
        kind = SECTIONS[name]
        try:
            # What ranks say of their way is read out of NCCL's own words, which a launcher may mix.
            told = section_of(name, self.raw(digest)) if kind is NcclTrial else None
            section = told or json.decode(self._bodies[digest], type=kind)
        except ValidationError as error:
            section = kind(state=State.ERROR, reason=f"unexpected answer: {error}")
        if len(self._sections) >= KEPT:
            self._sections.clear()
        self._sections[name, digest] = section
        return section


class Facts:
    """One node while it is judged."""

    def __init__(self, node: Node, pool: Pool, expected: Expectations | None) -> None:
        self.node = node
        self.name = node.name
        self.joined: View | None = None
        """The view that rules are asked about, once one was asked."""
        self._pool = pool
        self._expected = expected
        self._digests = {name: digest for name, digest in node.sections.items() if digest in pool}
        if expected is not None:
            self._digests[Expectations.NAME] = json.encode(expected).decode()

    def key(self, sections: tuple[str, ...]) -> tuple[str | None, ...]:
        """Return what stands for the contents of these sections."""
        return tuple(map(self._digests.get, sections))

    def raw(self, name: str) -> dict[str, Any] | None:
        """Return a section as the probe sent it, None if there is none."""
        digest = self._digests.get(name)
        return self._pool.raw(digest) if digest is not None else None

    def section(self, kind: type[S]) -> S | None:
        """Return a section that was read, else None."""
        digest = self._digests.get(kind.NAME)
        section = self._pool.section(kind.NAME, digest) if digest is not None else None
        return section if isinstance(section, kind) and section.state is State.READ else None

    def _uptime(self) -> Any:
        return UNREAD if self.node.uptime is None else self.node.uptime

    def view(self) -> View:
        """Return everything that is known of the node but its own names and what the next boot brings."""
        header = self.node.header
        host = SAME if self.node.host is not None else None
        sections = {
            name: self._pool.section(name, digest)
            for name, digest in self._digests.items()
            if name in SECTIONS and name not in (Expectations.NAME, NextBoot.NAME)
        }
        if isinstance(own := sections.get(Host.NAME), Host):
            named = {"hostname": host} if host else {}
            sections[Host.NAME] = structs.replace(own, uptime_seconds=self._uptime(), **named)
        view = View(
            kind="probe",
            name=self.name,
            host_name=host,
            time=header.get("time"),
            seconds=round(self.node.seconds, 3),
            until=header.get("until", "frameworks"),
            complete=header.get("part") == "final",
            probe_python=header.get("probe_python"),
            without_gpu=header.get("without_gpu", False),
            expectations=self._expected if self._expected is not None else UNREAD,
        )
        return structs.replace(view, **sections)
