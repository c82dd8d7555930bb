"""The facts of one node, decoded as far as somebody looks at them."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from msgspec import ValidationError, json, structs

from codeblue.fleet.own import joined
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
BYTES = 32 << 20
"""Contents in memory beside those of the nodes at hand: what is rare need not be looked for in every file."""


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
        """Keep what the next nodes want, and of the rest what was wanted last."""
        for digest in wanted:
            if digest in self._bodies:
                self._bodies[digest] = self._bodies.pop(digest)
        self._bodies.update(more)
        size = sum(map(len, self._bodies.values()))
        for digest in list(self._bodies)[: len(self._bodies) - len(wanted)]:
            if size <= BYTES:
                break
            size -= len(self._bodies.pop(digest))

    def __contains__(self, digest: str) -> bool:
        return digest in self._bodies

    def raw(self, digest: str) -> dict[str, Any]:
        """Return a section as the probe sent it. Raises KeyError if the store has lost it."""
        content: dict[str, Any] = json.decode(self._bodies[digest])
        return content

    def section(self, name: str, digest: str) -> Section:
        """Return a section without what is a node's own."""
        if (known := self._sections.get((name, digest))) is not None:
            return known
        section = _decoded(name, self._bodies[digest])
        if len(self._sections) >= KEPT:
            self._sections.clear()
        self._sections[name, digest] = section
        return section

    def whole(self, name: str, digest: str, mine: Mapping[str, Any]) -> Section:
        """Return a section with what is the node's own."""
        return section_of(name, joined(self.raw(digest), mine))


def _decoded(name: str, body: bytes) -> Section:
    """Return a section; one that does not have the agreed shape says so in its state."""
    kind = SECTIONS[name]
    if kind is NcclTrial:
        # What ranks say of their way is read out of NCCL's own words, which a launcher may mix.
        return section_of(name, json.decode(body))
    try:
        return json.decode(body, type=kind)
    except ValidationError as error:
        return kind(state=State.ERROR, reason=f"unexpected answer: {error}")


class Facts:
    """One node while it is judged."""

    def __init__(self, node: Node, pool: Pool, expected: Expectations | None) -> None:
        self.node = node
        self.name = node.name
        self.joined: dict[tuple[str, ...], View] = {}
        """The views that rules were asked about, by the sections that have what is the node's own."""
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

    def section(self, kind: type[S], whole: bool = False) -> S | None:
        """Return a section that was read, else None; what is the node's own is in the ``whole`` one only."""
        digest = self._digests.get(kind.NAME)
        section = self._section(kind.NAME, digest, whole) if digest is not None else None
        return section if isinstance(section, kind) and section.state is State.READ else None

    def view(self, whole: Collection[str] = ()) -> View:
        """Return everything that is known of the node but its name and what the next boot brings.

        Of what is the node's own, only the sections that ``whole`` names have it.
        """
        header = self.node.header
        host = SAME if self.node.host is not None else None
        sections = {
            name: self._section(name, digest, name in whole)
            for name, digest in self._digests.items()
            if name in SECTIONS and name not in (Expectations.NAME, NextBoot.NAME)
        }
        if host and isinstance(own := sections.get(Host.NAME), Host):
            sections[Host.NAME] = structs.replace(own, hostname=host)
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

    def _section(self, name: str, digest: str, whole: bool) -> Section:
        mine = self.node.own.get(name) if whole else None
        return self._pool.whole(name, digest, mine) if mine else self._pool.section(name, digest)
