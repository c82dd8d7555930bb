"""What the readers have found so far, and the one place where it becomes a manifest."""

import re
from collections.abc import Callable

from msgspec import structs
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from codeblue.model.manifest import Index, Left, Manifest, Requirement, Said
from codeblue.model.text import message
from codeblue.sources.manifests import platforms
from codeblue.sources.manifests.files import one_line
from codeblue.sources.variables import UNWANTED, chosen

MOST_LEFT = 100
"""Parts that are named one by one; of the others only the number is told."""
MOST_RESTRICTIONS = 50
"""Constraints on one distribution."""
MOST_FILES = 100
"""Files that other files name."""
RANKS = ("===", "==", "~=", ">=", ">", "<=", "<", "!=")
USER = re.compile(r"(?<=://)[^/\s]*@")
CONDA_TOKEN = re.compile(r"(?<=/)t/[^/\s]+/(?=\S)")
ALSO = ("PIP_", "UV_", "NV_", "CONDA_OVERRIDE_", "com.nvidia.")
"""Starts of variables that say what is installed, besides those that GPU software reads."""


class Gathered:
    """Collects what the files say, in their order.

    ``follow`` reads a file that another one names: path, origin, and whether it only restricts.
    """

    def __init__(self, machine: str, python: str | None, follow: Callable[[str, str, bool], None]) -> None:
        self.follow = follow
        self.visited: set[tuple[str, bool]] = set()
        self._machine = machine
        self._pythons = platforms.pythons(python)
        self._python_is_given = python is not None
        self._requirements: list[Requirement] = []
        self._restrictions: dict[str, dict[str, None]] = {}
        self._restrictions_read = 0
        self._indexes: dict[tuple[str, str], Index] = {}
        self._python: Said | None = None
        self._image: Said | None = None
        self._environment: dict[str, Said] = {}
        self._said_machine: Said | None = None
        self._left: list[Left] = []
        self._more_left = 0

    @property
    def machine(self) -> str:
        """The processor that markers are judged for."""
        return self._said_machine.value if self._said_machine else self._machine

    def add(self, requirement: Requirement) -> None:
        """Keep a requirement."""
        self._requirements.append(requirement)

    def restrict(self, name: str, specifier: str) -> None:
        """Keep what a constraint allows; it asks for nothing by itself."""
        self._restrictions_read += 1
        known = self._restrictions.setdefault(name, {})
        if specifier and len(known) < MOST_RESTRICTIONS:
            known[specifier] = None

    def index(self, url: str, origin: str, kind: str = "index") -> None:
        """Keep an index, without the user and password in its address."""
        found = Index(url=public(url), origin=origin, kind=kind)
        if found.url:
            self._indexes.setdefault((found.url, kind), found)

    def python(self, value: str, origin: str) -> None:
        """Keep the first version of Python that is told; an exact one is worth more than a range."""
        exact = value[:1].isdigit()
        if value and (self._python is None or (exact and not self._python.value[:1].isdigit())):
            self._python = Said(value=value, origin=origin)
            if not self._python_is_given:
                self._pythons = platforms.pythons(value)

    def image(self, value: str, origin: str) -> None:
        """Keep the first image."""
        self._image = self._image or Said(value=value, origin=origin)

    def for_machine(self, name: str, origin: str) -> None:
        """Keep the first processor that is told, in whichever spelling."""
        machine = platforms.machine_of(name)
        if self._said_machine is None and machine in ("x86_64", "aarch64"):
            self._said_machine = Said(value=machine, origin=origin)

    def variable(self, name: str, value: str, origin: str) -> None:
        """Keep a variable that says something on GPUs or packages, and that holds no secret."""
        if (chosen(name) or name.startswith(ALSO)) and not UNWANTED.search(name.upper()):
            self._environment[name] = Said(value=public(value), origin=origin)

    def left(self, origin: str, en: str, zh: str, **values: object) -> None:
        """Keep that a part was not understood, and why."""
        why = message(en, zh, **{name: one_line(str(value)) for name, value in values.items()})
        self.leave(Left(origin=origin, why=why))

    def leave(self, left: Left) -> None:
        """Keep a part that was not understood, for a reason that is already a sentence."""
        if len(self._left) >= MOST_LEFT:
            self._more_left += 1
        elif left not in self._left:
            self._left.append(left)

    def holds(self, marker: str, origin: str) -> bool:
        """Tell whether a marker lets its requirement apply; one that cannot be judged does."""
        if not marker:
            return True
        try:
            return platforms.applies(marker, self.machine, self._pythons)
        except (ValueError, RecursionError):
            self.left(
                origin,
                "the condition '{marker}' is not understood; what it guards is taken as asked for",
                "看不懂条件 '{marker}'；按其条件成立处理",
                marker=marker,
            )
            return True

    @property
    def counts(self) -> tuple[int, int]:
        """How many entries were understood so far, and how many parts were not."""
        understood = len(self._requirements) + len(self._indexes) + self._restrictions_read
        return understood, len(self._left) + self._more_left

    def manifest(self) -> Manifest:
        """Return everything, with the constraints merged in."""
        left = list(self._left)
        if self._more_left:
            why = message("{count} more parts", "另有 {count} 处", count=self._more_left)
            left.append(Left(origin=left[-1].origin, why=why))
        return Manifest(
            requirements=tuple(self._restricted(one) for one in self._requirements),
            indexes=tuple(self._indexes.values()),
            python=self._python,
            image=self._image,
            environment=self._environment,
            machine=self._said_machine,
            left=tuple(left),
        )

    def _restricted(self, requirement: Requirement) -> Requirement:
        allowed = self._restrictions.get(requirement.name)
        if not allowed or requirement.locked:
            return requirement
        return structs.replace(requirement, specifier=merged(requirement.specifier, *allowed))


def merged(*specifiers: str) -> str:
    """Return one specifier for all, exact versions and lower bounds first.

    A specifier that PEP 440 does not know keeps its words.
    """
    parts: dict[str, None] = {}
    for specifier in specifiers:
        try:
            parts |= dict.fromkeys(str(one) for one in SpecifierSet(specifier))
        except InvalidSpecifier:
            parts |= dict.fromkeys(part.strip() for part in specifier.split(","))
    return ",".join(sorted(filter(None, parts), key=_rank))


def _rank(part: str) -> tuple[int, str]:
    return next((n for n, operator in enumerate(RANKS) if part.startswith(operator)), len(RANKS)), part


def public(text: str) -> str:
    """Return a text whose addresses have no user, password or conda token.

    ``${TOKEN}`` elsewhere stays as it is written.
    """
    return CONDA_TOKEN.sub("", USER.sub("", text.strip())) if "://" in text else text.strip()
