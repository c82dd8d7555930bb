"""Sets of versions that work together, how far each is from what is there, and how to install it."""

from enum import IntEnum

from msgspec import Struct

from codeblue.model.combination import Combination
from codeblue.model.judgement import Judged, Judgement
from codeblue.model.text import Message


class Tier(IntEnum):
    """The costliest thing that a set changes; whoever may change one thing may change all cheaper ones."""

    NOTHING = 0
    """What is there stays; what is missing is added."""
    INDEX = 1
    """The same release of torch from another index: another CUDA variant."""
    COMPANIONS = 2
    """torchvision, torchaudio, TensorRT, and pins of what torch brings itself."""
    TORCH = 3
    PYTHON = 4
    COMPAT = 5
    """The cuda-compat package, where NVIDIA supports it."""
    DRIVER = 6
    """Needs root and a restart of what uses the GPUs."""


class Wish(Struct, frozen=True):
    """A package that the set must hold."""

    name: str
    specifier: str = ""
    """As pip writes it: ``==2.11.0``, ``>=2.8,<2.10``."""
    variant: str = ""
    """CUDA variant of torch: ``cu126``."""

    def __str__(self) -> str:
        """Return it as a user writes it."""
        variant = f"+{self.variant}" if self.variant else ""
        return f"{self.name}{self.specifier}{variant}"


class Package(Struct, frozen=True):
    """One package of a set."""

    name: str
    version: str
    """Without a local part."""
    variant: str = ""
    """CUDA variant if it comes from the index of torch, else empty."""
    exact: bool = False
    """The same version is there for another CUDA: only its local part makes an installer replace it."""


class Install(Struct, frozen=True, kw_only=True):
    """What an installer must be told to get a set."""

    packages: tuple[Package, ...]
    index: str | None
    """Index of the packages with a variant; None if PyPI has just these builds."""
    cuda: str | None
    """CUDA of the build of torch (``12.6``)."""
    python: str
    """Minor version (``3.11``), of the user or one that all packages have."""
    python_changes: bool
    """It is another one than the user has."""
    machine: str
    driver_floor: str | None
    """Oldest driver that carries the CUDA of the build, by minor-version compatibility where there is one."""
    compat: str | None = None
    """CUDA of the cuda-compat package that the set relies on."""


class Change(Struct, frozen=True):
    """What a set changes in one part of what is there."""

    part: str
    before: str | None
    """None for a part that is added."""
    after: str | None
    """None for a pin that is left out."""
    text: Message
    administrator: bool = False
    """Nobody but the administrator of the machine can do it."""


class Solution(Struct, frozen=True, kw_only=True):
    """One set of versions that works together."""

    combination: Combination
    judged: Judged
    changes: tuple[Change, ...]
    tier: Tier
    install: Install


class Refused(Struct, frozen=True):
    """A tier that holds no set, and why."""

    tier: Tier
    text: Message
    reasons: tuple[Judgement, ...]
    """What refused the candidates, the most wanted first; one of each rule."""


class Solutions(Struct, frozen=True, kw_only=True):
    """The answer to the question which versions would work together."""

    asked: Combination
    wishes: tuple[Wish, ...]
    best: tuple[Solution, ...]
    failed: tuple[Refused, ...] = ()
    missing: tuple[Judgement, ...] = ()
    """Wishes for what does not exist; ``best`` then holds the nearest sets, if there are any."""
