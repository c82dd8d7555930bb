"""What the user wants in the set: ``torch``, ``torch==2.11.0``, ``torch==2.7.1+cu126``, ``cu126``."""

import difflib
import re
from collections.abc import Iterable

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from codeblue.model.solution import Wish
from codeblue.model.text import Message, message

COMPANIONS = ("torchvision", "torchaudio")
"""Packages that are built for one release of torch, and so bring it."""
NAMES = ("torch", *COMPANIONS, "tensorrt", "python")

_BETWEEN = re.compile(r",(?=\s*[a-zA-Z])")
_VARIANT = re.compile(r"cu\d{2,3}|cpu")
_LOCAL = re.compile(r"\+(\w+)$")


class Unwishable(ValueError):
    """A wish that names no package of the tables, or is not written as one."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


def wishes(texts: Iterable[str]) -> tuple[Wish, ...]:
    """Return the wishes in the order given. Raises Unwishable.

    Texts hold one or more wishes with commas between; a comma before a comparison belongs to the wish.
    """
    found = [one.strip(", \t") for text in texts for one in _BETWEEN.split(text)]
    return tuple(_wish(one) for one in found if one)


def _wish(text: str) -> Wish:
    if _VARIANT.fullmatch(text):
        return Wish("torch", variant=text)
    local = _LOCAL.search(text)
    try:
        wanted = Requirement(text[: local.start()] if local else text)
    except InvalidRequirement:
        raise Unwishable(
            message(
                "--want {text}: not a package with a version; write it as torch, torch==2.7.1, torch>=2.8",
                "--want {text}：不是包名加版本的写法；可写作 torch、torch==2.7.1、torch>=2.8",
                text=text,
            )
        ) from None
    if wanted.url or wanted.extras or wanted.marker:
        raise Unwishable(
            message(
                "--want {text}: only a name and versions can be wished for",
                "--want {text}：只能写包名和版本",
                text=text,
            )
        )
    name = wanted.name.lower()
    if name not in NAMES:
        raise Unwishable(_unknown(wanted.name))
    return Wish(name, str(wanted.specifier), local[1] if local else "")


def _unknown(name: str) -> Message:
    near = difflib.get_close_matches(name.lower(), NAMES, n=2)
    return message(
        "--want {name}: the tables have no such package; near are {near}",
        "--want {name}：表中没有这个包；相近的有 {near}",
        name=name,
        near=", ".join(near or NAMES),
    )


def meets(wish: Wish, version: str) -> bool:
    """Return whether a version, without a local part, is one of those that a wish names."""
    try:
        exact = Version(version.rstrip("t"))
    except InvalidVersion:
        return False
    return SpecifierSet(wish.specifier).contains(exact, prereleases=True)
