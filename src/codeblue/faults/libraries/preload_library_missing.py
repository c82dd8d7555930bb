"""
## What it means
`LD_PRELOAD` names a library that is not there. The loader prints "object ... from LD_PRELOAD cannot
be preloaded ...: ignored." at the start of every program and goes on without it.

## Why it happens
The variable was set for another machine or image: an allocator such as tcmalloc or jemalloc that is
not installed here, a vGPU or profiling layer that is mounted in some containers only, a path of an
environment that was deleted. Exported in a job script, it travels into containers and to other nodes.

## When it is not a fault
The program runs as if the variable were not set. The line alone explains no failure; it matters only if
the library was wanted for its effect: an allocator for speed, a `libgomp` that must come first, a
layer that limits GPU memory.

## What to do
If the library is wanted, install it or correct the path; inside an image look for it with
`ldconfig -p`. If not, drop the entry from the variable where it is set. The same line with
`/etc/ld.so.preload` comes from that file.

## How safe the fix is
Dropping an entry that is ignored changes nothing but the noise. Making it work again changes every
program that is started with it: try it with one first.
"""

from collections.abc import Iterator

from codeblue.model.facts import Loader
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "preload-library-missing",
    title=Text("LD_PRELOAD names a library that is not there", "LD_PRELOAD 指定的库不存在"),
    layer=Layer.LIBRARIES,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    references=(
        Reference("ld.so(8): LD_PRELOAD", "https://man7.org/linux/man-pages/man8/ld.so.8.html", "2026-11-30"),
    ),
    signatures=(Signature("from LD_PRELOAD cannot", r"object '[^']+' from LD_PRELOAD cannot be preloaded"),),
)
def preload_library_missing(loader: Loader) -> Iterator[Hit]:
    for name in loader.preload_missing:
        kept = [entry for entry in loader.preload if entry not in loader.preload_missing]
        yield Hit(
            subject="env:LD_PRELOAD",
            summary=message(
                "LD_PRELOAD names {name}, which does not exist",
                "LD_PRELOAD 指定了 {name}，但它不存在",
                name=name,
            ),
            because=cite("loader.preload_missing", "loader.preload"),
            remedy=_without(kept),
        )


def _without(kept: list[str]) -> Remedy:
    why = message("the loader ignores the entry anyway", "加载器本来就会忽略这一项")
    if kept:
        step = Step(Verb.ENV_SET, why, {"name": "LD_PRELOAD", "value": ":".join(kept)})
    else:
        step = Step(Verb.ENV_UNSET, why, {"name": "LD_PRELOAD"})
    return Remedy(
        message("drop the missing library from LD_PRELOAD", "从 LD_PRELOAD 中去掉不存在的库"),
        (step,),
        Automation.APPROVAL,
        Undo.EXACT,
    )
