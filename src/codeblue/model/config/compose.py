"""Compose files."""

from msgspec import Struct

from codeblue.model.config.node import Node


class Service(Struct, frozen=True, kw_only=True):
    """One service."""

    name: str
    key: Node
    """Its name in the file."""
    own: Node
    """What the file says of it itself."""
    root: Node
    """The same with what it takes from services that it extends."""
    open: bool
    """True if it extends a service of another file."""


class Compose(Struct, frozen=True, kw_only=True):
    """The whole file."""

    root: Node
    services: tuple[Service, ...]
