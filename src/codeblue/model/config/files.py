"""Files of one program each that are trees."""

from msgspec import Struct

from codeblue.model.config.node import Node


class DaemonJson(Struct, frozen=True, kw_only=True):
    """The configuration of ``dockerd``."""

    root: Node
