"""``nvcc --version``: the release of the CUDA compiler."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Nvcc
from codeblue.model.section import Section
from codeblue.sources.clues import Line

RELEASE = re.compile(r"^Cuda compilation tools, release (\d+\.\d+)(?:, V(\d+(?:\.\d+)+))?$")
COLLECTED = re.compile(r"^CUDA runtime version *: *(\d+(?:\.\d+)+)$")
"""In collect_env, whose word for it misleads: it asks nvcc."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the release."""
    for line in lines:
        text = line.text.strip()
        if found := RELEASE.match(text):
            yield Nvcc(version=found[2] or found[1], source=line.place)
        elif found := COLLECTED.match(text):
            yield Nvcc(version=found[1], source=line.place)
