"""How a container is started: a service of Compose, or the command line of docker and podman."""

from msgspec import Struct

from codeblue.model.config.image import Image
from codeblue.model.config.place import Place
from codeblue.model.config.setting import Settings
from codeblue.model.config.shell import Word


class Gpus(Struct, frozen=True, kw_only=True):
    """A request for GPUs: ``--gpus``, a reservation of Compose, or the name of a CDI device."""

    place: Place
    count: int | None = None
    """None for all, and where it is not known."""
    ids: tuple[str, ...] = ()


class ContainerRun(Struct, frozen=True, kw_only=True):
    """One start of a container."""

    owner: str
    """``service trainer``, ``docker run``."""
    place: Place
    """What to point at where something is missing."""
    program: str
    """``compose``, ``docker`` or ``podman``."""
    image: Image | None
    """None if the file does not tell it."""
    settings: Settings
    gpus: tuple[Gpus, ...] = ()
    runtime: Word | None = None
    shm: Word | None = None
    """Size of ``/dev/shm``."""
    ipc: Word | None = None
    privileged: Word | None = None
    ulimits: dict[str, Word] = {}
    capabilities: tuple[Word, ...] = ()
    """Those that are added."""
    volumes: tuple[Word, ...] = ()
    """``source:target``, by whichever option."""
    devices: tuple[Word, ...] = ()
    command: tuple[Word, ...] = ()
    """What runs in it, with the entry point before it."""
    open: bool = False
    """True if variables or other files may add options: what is missing here may be there."""

    @property
    def has_gpus(self) -> bool:
        """True if it asks for GPUs in any way."""
        return bool(self.gpus) or (self.runtime is not None and self.runtime.text.startswith("nvidia"))
