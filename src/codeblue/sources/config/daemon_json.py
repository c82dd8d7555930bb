"""Docker's ``daemon.json``, and kubelet's file of the same machine."""

import os
from collections.abc import Iterator

from codeblue.model.config.files import DaemonJson
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.sources.config import json_tree, yaml_tree
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.files import load
from codeblue.sources.target import Unusable

HERE, KUBELET = "etc/docker/daemon.json", "var/lib/kubelet/config.yaml"


def read(source: Source) -> Iterator[object]:
    """Yield the file as one part. Raises Broken."""
    root = json_tree.root(source)
    if root is not None:
        yield DaemonJson(root=root, kubelet=_kubelet(source.name))


def _kubelet(path: str) -> Node | None:
    """Return kubelet's configuration below the same root folder, if both lie where they belong."""
    if not path.endswith(HERE) or not os.path.isfile(path):
        return None
    other = path.removesuffix(HERE) + KUBELET
    try:
        return next(yaml_tree.documents(load(other)), None) if os.path.isfile(other) else None
    except (Unusable, Broken, Template):
        return None
