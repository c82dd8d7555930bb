"""Kubernetes objects and the pods that they make."""

from msgspec import Struct

from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Settings


class Manifest(Struct, frozen=True, kw_only=True):
    """One object of the API."""

    api: str
    """``apiVersion``, such as ``batch/v1``."""
    kind: str
    name: str
    root: Node
    templates: tuple[Node, ...] = ()
    """Where it describes pods: maps with ``spec``, and mostly ``metadata``."""
    source: Source | None = None
    """The whole file."""


class Container(Struct, frozen=True, kw_only=True):
    """One container of a pod."""

    name: str
    root: Node
    init: bool
    """True if it runs before the others."""
    settings: Settings

    def amount(self, where: str, resource: str) -> Node | None:
        """Return the amount of a resource in ``limits`` or ``requests``."""
        return self.root.get("resources", where, resource)

    @property
    def resources(self) -> dict[str, Node]:
        """Every resource that is limited or requested, with its key."""
        found: dict[str, Node] = {}
        for where in ("requests", "limits"):
            table = self.root.get("resources", where)
            found |= {key.text: key for key, _ in table.pairs} if table else {}
        return found

    @property
    def gpus(self) -> list[Node]:
        """Keys of the GPU resources it asks for, whole GPUs and parts of them."""
        return [key for name, key in self.resources.items() if is_gpu(name)]


class Pod(Struct, frozen=True, kw_only=True):
    """A pod, or the template from which a controller makes pods."""

    owner: Manifest
    template: Node
    """The map that has ``spec``, and mostly ``metadata``."""
    spec: Node
    containers: tuple[Container, ...]
    """Those that run before the others come first."""

    @property
    def running(self) -> tuple[Container, ...]:
        """The containers that do the work."""
        return tuple(one for one in self.containers if not one.init)

    def volume(self, name: str) -> Node | None:
        """Return the volume of a name."""
        return next((one for one in self.spec.each("volumes") if one.say("name") == name), None)


class Together(Struct, frozen=True, kw_only=True):
    """All objects of one file, and the pods that they make: what is applied in one go."""

    manifests: tuple[Manifest, ...]
    pods: tuple[Pod, ...]


def is_gpu(resource: str) -> bool:
    """Tell whether a resource stands for NVIDIA GPUs, whole, shared, or in parts."""
    return resource in ("nvidia.com/gpu", "nvidia.com/gpu.shared") or resource.startswith("nvidia.com/mig-")
