"""Files of one program each that are trees: container toolkit, containerd, CDI, conda."""

import re
from collections.abc import Iterator

from codeblue.model.config.files import CdiSpec, ContainerdConfig, ToolkitConfig
from codeblue.model.config.place import Source
from codeblue.sources.config import json_tree, toml_tree, yaml_tree

HOME = re.compile(r"(?:^|/)(?:\.config|\.local)/|^~/|^/home/|^/run/user/|rootless")


def toolkit(source: Source) -> Iterator[object]:
    """Yield the toolkit's configuration. Raises Broken."""
    root = toml_tree.root(source)
    if root is not None:
        yield ToolkitConfig(root=root, rootless=HOME.search(source.name) is not None)


def containerd(source: Source) -> Iterator[object]:
    """Yield containerd's configuration. Raises Broken."""
    root = toml_tree.root(source)
    if root is not None:
        yield ContainerdConfig(root=root)


def cdi(source: Source) -> Iterator[object]:
    """Yield a CDI specification. Raises Broken and Template."""
    root = (
        json_tree.root(source) if source.text.lstrip()[:1] == "{" else next(yaml_tree.documents(source), None)
    )
    if root is not None and root.kind == "map":
        yield CdiSpec(root=root)
