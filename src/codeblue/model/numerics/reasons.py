"""Why two environments may compute differently: what is set or installed differently, ranked."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct

from codeblue.model.facts.trials.numerics import NumericsTried

NOTHING = "–"
"""A value on the side that has none; the same in every language."""

PRECISION = re.compile(r"tf32|precision|reduc|accumulation|EMULATE|BF16|dtype|autocast", re.IGNORECASE)
"""Names of settings that choose how exact a product is."""

LIBRARIES = ("cudnn", "cublas", "cuda", "torch", "driver", "onednn", "mkl")
"""In the order in which they usually are why."""

THREADS = "get_num_threads"


class Sort(str, Enum):
    """What kind of thing is different, the likeliest reason first."""

    FLAG = "flag"
    VARIABLE = "variable"
    VERSION = "version"
    GPU = "gpu"
    PROCESSOR = "processor"


class Reason(Struct, frozen=True):
    """One thing that is different."""

    sort: Sort
    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.name}: {self.old} → {self.new}"


def reasons(old: NumericsTried, new: NumericsTried, precision: bool) -> Iterator[Reason]:
    """Yield what is different between two devices; ``precision`` says that errors are, not only bits.

    Flags come first, then variables, those that fit what is different before the others. Another model of GPU
    has other algorithms in any case, so it counts before the libraries.
    """
    flags = _changed(Sort.FLAG, _known(old.flags, new.flags), _known(new.flags, old.flags))
    variables = _changed(Sort.VARIABLE, old.variables, new.variables)
    settings = sorted(
        (one for one in (*flags, *variables) if one.name != THREADS),
        key=lambda one: bool(PRECISION.search(one.name)) is not precision,
    )
    yield from settings
    gpu = list(_changed(Sort.GPU, _some(old, "gpu"), _some(new, "gpu")))
    yield from gpu
    versions = {name: (old.versions.get(name), new.versions.get(name)) for name in LIBRARIES}
    for name, (before, after) in versions.items():
        # A processor that is compared with a GPU has no cuDNN: that it has none is no reason.
        if before and after and before != after:
            yield Reason(Sort.VERSION, name, before, after)
    for name in ("cpu-capability", "processor", "machine"):
        yield from _changed(Sort.PROCESSOR, _some(old, name), _some(new, name))
    threads = ({THREADS: one.flags[THREADS]} if THREADS in one.flags else {} for one in (old, new))
    yield from _changed(Sort.PROCESSOR, *threads)


def _changed(sort: Sort, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Reason]:
    for name in sorted({**old, **new}):
        before, after = old.get(name, NOTHING), new.get(name, NOTHING)
        if before != after:
            yield Reason(sort, name, before, after)


def _known(flags: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Return the flags that the other release has too: a new one alone changes nothing."""
    return {name: value for name, value in flags.items() if name in other}


def _some(device: NumericsTried, name: str) -> dict[str, str]:
    value = device.versions.get(name)
    return {name: value} if value else {}
