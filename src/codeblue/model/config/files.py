"""Files of one program each that are trees."""

from msgspec import Struct

from codeblue.model.config.node import Node


class DaemonJson(Struct, frozen=True, kw_only=True):
    """The configuration of ``dockerd``."""

    root: Node


class ToolkitConfig(Struct, frozen=True, kw_only=True):
    """``config.toml`` of the NVIDIA container toolkit."""

    root: Node
    rootless: bool
    """True if it lies in somebody's home."""


class ContainerdConfig(Struct, frozen=True, kw_only=True):
    """``config.toml`` of containerd."""

    root: Node


class CdiSpec(Struct, frozen=True, kw_only=True):
    """A CDI specification."""

    root: Node
