"""The stages of a Dockerfile: which of them the image is made of."""

import re
from collections.abc import Sequence

from msgspec import Struct

from codeblue.sources.manifests.dockerfile import Instruction, expand

ENVIRONMENT = re.compile(
    r"venv|conda|mamba|site-packages|dist-packages|\.local(?:/|$)|/usr/local/?$|/usr/local/lib/python|\benv/?$"
)
"""Paths that hold installed Python packages."""
NOTHING = "scratch"


class Stage(Struct, frozen=True):
    """One stage, from its FROM to the next."""

    base: str
    """Image, or name of an earlier stage."""
    name: str
    begin: Instruction
    steps: list[Instruction]
    parent: int | None
    """Number of the stage that it goes on from; None for one on an image."""


def split(instructions: Sequence[Instruction], given: dict[str, str]) -> list[Stage]:
    """Return the stages; ``given`` are the arguments that the builder sets by itself."""
    arguments = dict(given)
    stages: list[Stage] = []
    names: dict[str, int] = {}
    for one in instructions:
        if one.name == "FROM":
            words = [expand(word, arguments) for word in one.value.split()]
            base = words[0] if words else NOTHING
            name = words[2].lower() if len(words) > 2 and words[1].upper() == "AS" else ""
            stages.append(Stage(base, name, one, [], names.get(base.lower())))
            names[name or str(len(stages) - 1)] = len(stages) - 1
        elif stages:
            stages[-1].steps.append(one)
        elif one.name == "ARG":
            arguments |= argument(one.value, arguments, {})
    return stages


def argument(text: str, known: dict[str, str], outer: dict[str, str]) -> dict[str, str]:
    """Return the variables that an ARG sets: its defaults, or what ``outer`` knows of them."""
    found: dict[str, str] = {}
    for word in text.split():
        name, sep, value = word.partition("=")
        if sep:
            found[name] = expand(value.strip("\"'"), {**known, **found})
        elif name in outer:
            found[name] = outer[name]
    return found


def chain(stages: Sequence[Stage], number: int) -> list[int]:
    """Return the numbers of the stages that a stage is made of, the first one first."""
    numbers = [number]
    while (parent := stages[numbers[-1]].parent) is not None:
        numbers.append(parent)
    return numbers[::-1]


def needed(stages: Sequence[Stage]) -> list[int]:
    """Return the stages whose packages the image has: its own, and those it copies environments from."""
    found: set[int] = set()
    waiting = [len(stages) - 1]
    while waiting:
        for number in chain(stages, waiting.pop()):
            if number not in found:
                found.add(number)
                waiting += _copied(stages, number)
    return sorted(found)


def _copied(stages: Sequence[Stage], number: int) -> list[int]:
    numbers = {stage.name: place for place, stage in enumerate(stages[:number]) if stage.name}
    found = []
    for step in stages[number].steps:
        source = step.flag("from").lower() if step.name == "COPY" else ""
        place = numbers.get(source, int(source) if re.fullmatch(r"\d{1,4}", source) else number)
        if source and place < number and ENVIRONMENT.search(step.value):
            found.append(place)
    return found
