"""What files say should be installed: requirements, locks, environments, images."""

from msgspec import Struct

from codeblue.model.text import Message


class Requirement(Struct, frozen=True, kw_only=True):
    """One distribution that a file asks for."""

    name: str
    """Normalised as PyPI does it: lower case, hyphens."""
    specifier: str = ""
    """As PEP 440 writes it (``==2.7.1+cu128``, ``>=2.4,<3``); empty for any version."""
    origin: str
    """File and line, as ``requirements.txt:3``."""
    url: str | None = None
    """Address or path of the file to install, where it is told instead of an index."""
    index: str | None = None
    """Index that this requirement alone is taken from."""
    build: str | None = None
    """Build text of a conda package, such as ``py3.11_cuda12.4_cudnn9.1.0_0``."""
    conda: bool = False
    """Named by a conda file outside its pip part."""
    locked: bool = False
    """Taken from a lock file: exactly this is installed."""


class Index(Struct, frozen=True, kw_only=True):
    """One place to take distributions from."""

    url: str
    origin: str
    kind: str = "index"
    """``index`` (replaces PyPI), ``extra-index``, ``find-links`` or ``channel`` (conda)."""


class Said(Struct, frozen=True, kw_only=True):
    """One other thing that a file says, with its place."""

    value: str
    origin: str


class Left(Struct, frozen=True, kw_only=True):
    """A part of a file that was not understood, and why."""

    origin: str
    why: Message
    file: str = ""
    """Whole file that could not be read."""
    package: str = ""
    """Normalised name of the package that the part asks for."""


class Manifest(Struct, frozen=True, kw_only=True):
    """Everything that the given files say, in their order."""

    requirements: tuple[Requirement, ...] = ()
    indexes: tuple[Index, ...] = ()
    python: Said | None = None
    """Version or specifier of Python, such as ``3.11`` or ``>=3.10,<3.13``."""
    image: Said | None = None
    """Base image of the last stage, such as ``nvidia/cuda:12.8.1-cudnn-runtime-ubuntu22.04``."""
    environment: dict[str, Said] = {}
    """Variables that an image sets, among them ``NVIDIA_REQUIRE_CUDA``."""
    machine: Said | None = None
    """Processor: ``x86_64`` or ``aarch64``."""
    left: tuple[Left, ...] = ()
