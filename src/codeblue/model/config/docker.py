"""Dockerfiles."""

from msgspec import Struct

from codeblue.model.config.image import Image
from codeblue.model.config.place import Place
from codeblue.model.config.setting import Settings
from codeblue.model.config.shell import Script


class Step(Struct, frozen=True, kw_only=True):
    """One instruction, ``ARG`` and ``ENV`` filled in where they are known."""

    name: str
    """In capital letters."""
    value: str
    flags: tuple[tuple[str, str], ...]
    place: Place
    """From its name to its last character."""
    value_place: Place
    """The first line of what follows the name."""


class Stage(Struct, frozen=True, kw_only=True):
    """From one ``FROM`` to the next."""

    name: str
    """As in ``AS name``; else its number."""
    base: Image
    parent: str
    """Name of the stage that it is built from; empty for an image."""
    steps: tuple[Step, ...]
    settings: Settings
    """``ENV``, with those of the stages that it is built from before its own."""
    scripts: tuple[Script, ...]
    """What ``RUN`` hands to a shell."""


class Dockerfile(Struct, frozen=True, kw_only=True):
    """The whole file."""

    stages: tuple[Stage, ...]

    @property
    def last(self) -> Stage:
        """The stage that is shipped."""
        return self.stages[-1]

    def line_of(self, stage: Stage) -> tuple[Stage, ...]:
        """Return a stage and those that it is built from, the stage itself first."""
        found = [stage]
        while found[-1].parent:
            below = next((one for one in self.stages if one.name == found[-1].parent), None)
            if below is None or below in found:
                break
            found.append(below)
        return tuple(found)
