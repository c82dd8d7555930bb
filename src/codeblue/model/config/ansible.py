"""Ansible playbooks and the task files of roles."""

from collections.abc import Iterator

from msgspec import Struct

from codeblue.model.config.node import Node


class Task(Struct, frozen=True, kw_only=True):
    """One task or handler, also inside of blocks."""

    name: str
    module: str
    """Without its collection: ``copy`` for ``ansible.builtin.copy``."""
    key: Node
    """Where the module is named."""
    root: Node
    arguments: tuple[tuple[str, Node], ...]
    """What the module is given, from a map or from ``key=value`` words."""
    free: Node | None = None
    """The text of a module that takes one: the command of ``shell``."""
    conditional: bool = False
    """True if ``when`` stands at the task or at a block around it."""

    def get(self, *names: str) -> Node | None:
        """Return the argument of the first of these names that is given."""
        found = dict(self.arguments)
        return next((found[name] for name in names if name in found), None)

    def say(self, *names: str) -> str:
        """Return the text of an argument; empty if it is not given."""
        node = self.get(*names)
        return node.text if node is not None and node.kind not in ("map", "list") else ""

    @property
    def notifies(self) -> list[Node]:
        """The handlers that it calls."""
        node = self.root.get("notify")
        if node is None:
            return []
        return node.items if node.kind == "list" else [node]

    @property
    def items(self) -> Iterator[Node]:
        """The literal strings that it loops over."""
        for key, value in self.root.pairs:
            if key.text == "loop" or key.text.startswith("with_"):
                yield from (one for one in value.walk() if one.kind == "string")


class Play(Struct, frozen=True, kw_only=True):
    """One play of a playbook, or the tasks of a file that others include."""

    place: Node
    tasks: tuple[Task, ...]
    handlers: tuple[Task, ...] = ()
    complete: bool
    """True if no role and no other file adds tasks or handlers."""
    included: bool
    """True for the tasks of a file that a role or a play includes."""

    @property
    def all(self) -> tuple[Task, ...]:
        """Tasks and handlers."""
        return (*self.tasks, *self.handlers)
