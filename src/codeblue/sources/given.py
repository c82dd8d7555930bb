"""``--facts``: what the user knows besides the text, as a plain JSON object."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from codeblue.model.facts import Driver, Host, Python, Torch
from codeblue.model.section import Section
from codeblue.model.text import message
from codeblue.sources.clues import Line
from codeblue.sources.target import Unusable

LARGEST = 1 << 20
"""Bytes."""
DRIVER = re.compile(r"\b\d{3}\.\d+(?:\.\d+)?\b")
TORCH = re.compile(r"\b\d+\.\d+(?:\.\d+)?[\w.]*(?:\+\w+)?")
BUILT = re.compile(r"\+cu(\d{2,3})\b")
PYTHON = re.compile(r"\b[23]\.\d+(?:\.\d+)?\b")
DISTRIBUTION = re.compile(
    r"^(ubuntu|debian|centos|rhel|fedora|rocky|alma\w*|arch|nixos|sles|opensuse)\b", re.I
)
VERSION = re.compile(r"\d+(?:\.\d+)?")


def read(path: str) -> dict[str, str]:
    """Return the facts by name, in the order of the file. Raises Unusable with one line."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(
            message("{path}: cannot read: {why}", "{path}：无法读取：{why}", path=path, why=error.strerror)
        ) from None
    try:
        document = msgspec.json.decode(content[:LARGEST])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refused(path, str(error)) from None
    if not isinstance(document, dict):
        raise _refused(path, f"a {type(document).__name__} at the top")
    return dict(_flat("", document))


def _refused(path: str, why: str) -> Unusable:
    return Unusable(
        message(
            '{path}: facts must be one JSON object such as {{"driver": "550.54", "gpu": "A100"}}: {why}',
            '{path}：事实必须是一个 JSON 对象，例如 {{"driver": "550.54", "gpu": "A100"}}：{why}',
            path=path,
            why=why,
        )
    )


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list):
        yield prefix, ", ".join(str(one) for one in value)
    elif value is not None:
        yield prefix, str(value)


def lines(facts: Mapping[str, str], name: str) -> list[Line]:
    """Return one line ``name: value`` for each fact, as clues read them."""
    return [
        Line(f"{key}: {value}"[:500], name, number, False)
        for number, (key, value) in enumerate(facts.items(), start=1)
    ]


def sections(facts: Mapping[str, str], name: str) -> Iterator[Section]:
    """Yield the sections that the facts fill; a value of another form than expected fills none."""
    if found := DRIVER.search(facts.get("driver", "")):
        yield Driver(module_version=found.group(), source=name)
    if found := TORCH.search(facts.get("torch", "")):
        yield _torch(found.group(), facts["torch"], name)
    if found := PYTHON.search(facts.get("python", "")):
        yield Python(version=found.group(), source=name)
    if found := DISTRIBUTION.match(facts.get("os", "")):
        version = VERSION.search(facts["os"])
        if version:
            yield Host(distribution=found.group(1).lower(), distribution_version=version.group(), source=name)


def _torch(version: str, whole: str, name: str) -> Torch:
    built = BUILT.search(version)
    if built:
        return Torch(version=version, cuda=f"{built.group(1)[:-1]}.{built.group(1)[-1]}", source=name)
    if re.search(r"\bcpu\b", whole):
        return Torch(version=version, cuda=None, source=name)
    return Torch(version=version, source=name)
