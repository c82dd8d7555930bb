"""From a healthy node to what a site may expect of all nodes like it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from codeblue.model.facts import Cuda, Driver, Filesystems, Limits, Nvml, Torch
from codeblue.model.section import NotRead
from codeblue.model.snapshot import View

UNITS = ((40, "T"), (30, "G"), (20, "M"), (10, "K"))
FLAGS = ("ecc", "persistence", "mig")


def expected(view: View) -> dict[str, Any]:
    """Return the keys of ``[expect]`` that the node tells; what could not be read is not expected."""
    found: dict[str, Any] = {}
    for tell in (_gpus, _driver, _cuda, _torch, _flags, _sizes):
        try:
            found.update(tell(view))
        except (NotRead, KeyError):  # a node that does not tell it
            continue
    return found


def toml(values: Mapping[str, Any], comments: Mapping[str, str], head: str) -> Iterator[str]:
    """Yield the lines of a codeblue.toml."""
    yield f"# {head}"
    yield "[expect]"
    for key, value in values.items():
        if comment := comments.get(key):
            yield f"# {comment}"
        yield f"{key} = {_written(value)}"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(sign for sign in escaped if sign.isprintable()) + '"'


def _gpus(view: View) -> dict[str, Any]:
    nvml = view.section(Nvml)
    names = {gpu.name for gpu in nvml.gpus.values()}
    return {"gpus": nvml.count} | ({"gpu": names.pop().removeprefix("NVIDIA ")} if len(names) == 1 else {})


def _driver(view: View) -> dict[str, Any]:
    version = view.section(Driver).module_version
    return {"driver": version} if version else {}


def _cuda(view: View) -> dict[str, Any]:
    version = view.section(Cuda).driver_version
    return {"cuda": f">={version // 1000}.{version % 1000 // 10}"} if version else {}


def _torch(view: View) -> dict[str, Any]:
    version = view.section(Torch).version
    return {"torch": version} if version else {}


def _flags(view: View) -> dict[str, Any]:
    gpus = view.section(Nvml).gpus.values()
    found: dict[str, Any] = {}
    for flag in FLAGS:
        try:
            values = {getattr(gpu, flag) for gpu in gpus}
        except NotRead:
            continue
        if len(values) == 1 and isinstance(value := values.pop(), bool):
            found[flag] = value
    return found


def _sizes(view: View) -> dict[str, Any]:
    found: dict[str, Any] = {}
    steps: tuple[Callable[[View], dict[str, Any]], ...] = (_shm, _limits)
    for step in steps:
        try:
            found.update(step(view))
        except (NotRead, KeyError):
            continue
    return found


def _shm(view: View) -> dict[str, Any]:
    total = view.section(Filesystems).filesystems["/dev/shm"].total  # noqa: S108 - its size is told, nothing is put there
    return {"shm": _size(total)}


def _limits(view: View) -> dict[str, Any]:
    limits = view.section(Limits).limits
    memlock, files = limits["memlock"].soft, limits["files"].soft
    found: dict[str, Any] = {"memlock": "unlimited" if memlock is None else _size(memlock)}
    return found | ({"files": files} if files is not None else {})


def _size(total: int) -> str:
    """Return a size that the node certainly has, in the largest unit that keeps most of it."""
    shift, unit = next(((s, u) for s, u in UNITS if total >> s >= 8), (0, ""))
    return f"{total >> shift}{unit}"
