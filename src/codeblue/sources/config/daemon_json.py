"""Docker's ``daemon.json``."""

from collections.abc import Iterator

from codeblue.model.config.files import DaemonJson
from codeblue.model.config.place import Source
from codeblue.sources.config import json_tree


def read(source: Source) -> Iterator[object]:
    """Yield the file as one part. Raises Broken."""
    root = json_tree.root(source)
    if root is not None:
        yield DaemonJson(root=root)
