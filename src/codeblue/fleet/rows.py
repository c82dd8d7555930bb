"""From the reply of a node to a row of a run, and back to the probe's answer."""

import hashlib
from collections.abc import Mapping
from typing import Any

from msgspec import MsgspecError, Struct, json

from codeblue.fleet.identity import offset
from codeblue.fleet.own import apart, joined
from codeblue.model.fleet import NodeState, Reply

HASH = 16
"""Bytes of a section's hash."""
COLUMNS = ("name", "grp", "state", "why", "seconds", "header", "sections", "own")

Contents = Mapping[str, Any]
"""Decoded sections by hash."""


class Node(Struct, frozen=True, kw_only=True):
    """One node of a run as it is kept."""

    name: str
    group: str
    state: NodeState
    why: str
    seconds: float
    header: dict[str, Any]
    """The probe's answer without its sections."""
    sections: dict[str, str]
    """Name to hash."""
    own: dict[str, dict[str, Any]] = {}
    """By section, what was set apart as the node's own."""

    @property
    def host(self) -> str | None:
        """The pseudonym of the name that it gives itself, None if it could not be read."""
        name = self.own.get("host", {}).get("hostname")
        return name if isinstance(name, str) else None

    @property
    def boot(self) -> str | None:
        """The pseudonym of its boot, None if it could not be read."""
        name = self.own.get("host", {}).get("boot_id")
        return name if isinstance(name, str) else None

    @property
    def uptime(self) -> float | None:
        """Seconds since its boot, None if they could not be read."""
        seconds = self.own.get("host", {}).get("uptime_seconds")
        return float(seconds) if isinstance(seconds, (int, float)) else None

    @property
    def skew(self) -> float | None:
        """Seconds by which its clock is certainly ahead of ours, or behind; None if it does not say."""
        try:
            header = self.header
            return offset(header["time"], header["seconds"], header["heard"], self.seconds)
        except (LookupError, TypeError, ValueError):
            return None


def document(node: Node, contents: Contents) -> dict[str, Any]:
    """Return the probe's answer as it came; sections that the store has lost are missing."""
    sections = {
        name: joined(contents[digest], node.own.get(name, {}))
        for name, digest in node.sections.items()
        if digest in contents
    }
    return {**node.header, "sections": sections}


def to_row(reply: Reply, new: dict[str, tuple[str, str]]) -> tuple[Any, ...]:
    """Return the columns of a reply; what its sections hold is put into ``new``, name and JSON by hash."""
    header: dict[str, Any] = {}
    hashes: dict[str, str] = {}
    own: dict[str, dict[str, Any]] = {}
    found: dict[str, tuple[str, str]] = {}
    if reply.document is not None:
        try:
            header = json.decode(reply.document, type=dict[str, Any])
            if header.get("part") == "error":
                return _failed(reply, str(header.get("reason")))
            if not all(isinstance(header[key], str) for key in ("part", "time", "until")):
                raise TypeError("no part, time or last phase")
            for name, section in header.pop("sections").items():
                left, mine = apart(name, section)
                if mine:
                    own[name] = mine
                body = json.encode(left)
                hashes[name] = hashlib.blake2b(body, digest_size=HASH).hexdigest()
                found[hashes[name]] = (name, body.decode())
        except (MsgspecError, LookupError, TypeError, AttributeError, RecursionError) as error:
            return _failed(reply, f"unexpected answer: {type(error).__name__}: {error}")
    if reply.heard and header:
        header["heard"] = reply.heard
    new.update(found)
    texts = [json.encode(part).decode() for part in (header, hashes, own)]
    return (reply.node, reply.group, reply.state.value, reply.why, reply.seconds, *texts)


def from_row(row: tuple[Any, ...]) -> Node:
    """Return the node of a row."""
    name, group, state, why, seconds, header, sections, own = row
    return Node(
        name=name,
        group=group,
        state=NodeState(state),
        why=why,
        seconds=seconds,
        header=json.decode(header),
        sections=json.decode(sections),
        own=json.decode(own),
    )


def _failed(reply: Reply, why: str) -> tuple[Any, ...]:
    return (reply.node, reply.group, NodeState.UNUSABLE.value, why[:500], reply.seconds, "{}", "{}", "{}")
