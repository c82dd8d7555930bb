"""What each part of a set could be: the values of the tables, those with the least change first."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from codeblue.knowledge.tables import by_key, table
from codeblue.knowledge.versions import branch, older, parts
from codeblue.knowledge.wheels import local, plain, release
from codeblue.matrix import builds
from codeblue.matrix.cited import trusted
from codeblue.matrix.devices import device
from codeblue.matrix.rules.driver_carries_cuda import SERVERS
from codeblue.model.combination import Combination, Part

ORIGIN = "codeblue matrix solve"
"""Where a part comes from that nobody named."""

Value = Part | tuple[Part, ...] | tuple[str, ...] | None


class Candidate(NamedTuple):
    """One value that a part of the set can have."""

    name: str
    """The part: ``torch`` is the release, ``variant`` its build for one CUDA."""
    value: str
    """What tells it from the others of the part."""
    parts: tuple[tuple[str, Value], ...]
    """The fields of the combination that it fills."""

    def over(self, combination: Combination) -> Combination:
        """Return the combination with this value."""
        return combination.having(dict(self.parts))  # type: ignore[arg-type]  # None takes a part away


def proposed(name: str, value: str) -> Candidate:
    """Return a value of the tables for a part that is one field."""
    return Candidate(name, value, ((name, Part(value, ORIGIN)),))


def present(have: Combination, name: str) -> Candidate:
    """Return what is there; the part must be known."""
    part = getattr(have, name)
    value = part.value if isinstance(part, Part) else " ".join(one.value for one in part)
    return Candidate(name, value, ((name, part),))


def without(name: str) -> Candidate:
    """Return the part left out, so that torch brings what it needs itself."""
    return Candidate(name, "", ((name, () if name == "extensions" else None),))


def releases(have: Combination) -> Iterator[Candidate]:
    """Yield releases of torch: patch releases of the one that is there, then all, the newest first."""
    here = parts(have.torch.value)[:2] if have.torch else ()
    known = [row["version"] for row in reversed(table("torch_releases")["rows"])]
    for version in sorted(known, key=lambda one: parts(one)[:2] != here):
        yield proposed("torch", version)


def present_release(have: Combination) -> Candidate:
    """Return the release of the torch that is there, with what it says of itself."""
    assert have.torch is not None
    value = plain(have.torch.value)
    return Candidate("torch", value, present_build(have).parts)


def present_build(have: Combination) -> Candidate:
    """Return the build of torch that is there."""
    assert have.torch is not None
    said = (("torch", have.torch), ("targets", have.targets), ("torch_cuda", have.torch_cuda))
    return Candidate("variant", have.torch.value, said)


def builds_of(version: str, machine: str, extra: Iterable[str] = ()) -> Iterator[Candidate]:
    """Yield the builds of a release that somebody has checked, and the ``extra`` ones if they exist."""
    row = release(version)
    if row is None:
        return
    key = "aarch64_variants" if machine == "aarch64" else "variants"
    for variant, found in builds.variants(row, machine).items():
        if found["confidence"] != "low" and trusted(row, f"{key}.{variant}.sm"):
            yield _build(version, variant)
    for variant in extra:
        if variant == builds.CPU:
            yield _build(version, variant)


def _build(version: str, variant: str) -> Candidate:
    name = f"{version}+{variant}"
    filled: tuple[tuple[str, Value], ...] = (
        ("torch", Part(name, ORIGIN)),
        ("targets", ()),
        ("torch_cuda", None),
    )
    return Candidate("variant", name, filled)


def pythons(have: Combination) -> Iterator[Candidate]:
    """Yield minor versions of Python: those nearest to the one that is there, else the newest first."""
    known = {one for row in table("torch_releases")["rows"] for one in row["python"] if not one.endswith("t")}
    newest = sorted(known, key=parts, reverse=True)
    here = parts(have.python.value)[:2] if have.python else None
    if here:
        newest.sort(key=lambda one: abs(parts(one)[1] - here[1]))
    return (proposed("python", one) for one in newest)


def companions(name: str) -> Iterator[Candidate]:
    """Yield the releases of torchvision or torchaudio, the newest first."""
    known = {version for row in table("torch_releases")["rows"] for version in row[name]}
    return (proposed(name, one) for one in sorted(known, key=parts, reverse=True))


def from_other_index(have: Combination, name: str) -> Iterator[Candidate]:
    """Yield the same version of a companion, from whatever index torch comes from."""
    version = getattr(have, name).value
    if local(version):
        yield proposed(name, plain(version))


def tensorrts() -> Iterator[Candidate]:
    """Yield the releases of TensorRT by package, the newest first."""
    for row in reversed(table("tensorrt")["rows"]):
        flavours = [one.rpartition("-")[2] for one in row["packages"] if "-" in one]
        for flavour in reversed(flavours):
            yield proposed("tensorrt", f"{row['version']}+{flavour}")
        if not flavours:
            yield proposed("tensorrt", row["version"])


def compats(have: Combination) -> Iterator[Candidate]:
    """Yield the driver that is there with each cuda-compat package made for its branch, oldest first.

    The package works on data-centre GPUs only; where others are named, there is none.
    """
    if have.driver is None or not servers_only(have):
        return
    for cuda, row in by_key("cuda_toolkits", "version").items():
        if branch(have.driver.value) in (row["compat_base_branches"] or ()):
            yield _platform(have, have.driver, Part(cuda, ORIGIN))


def servers_only(have: Combination) -> bool:
    """Return whether all GPUs are named and are of the classes that cuda-compat supports."""
    known = [device(part) for part in have.gpus]
    return bool(known) and all(one and one.classes and one.classes <= SERVERS for one in known)


def drivers(have: Combination) -> Iterator[Candidate]:
    """Yield drivers: maintained branches before others, then the smallest step up, then down."""
    assert have.driver is not None
    here = have.driver
    for modules in _flavours(have):
        yield _platform(have, here, have.compat, modules)
    rows = sorted(table("drivers")["rows"], key=lambda row: _step(row, branch(here.value)))
    for row in rows:
        newest = _newest(row)
        if branch(newest) != branch(here.value) or older(here.value, newest):
            yield _platform(have, Part(newest, ORIGIN), None, have.kernel_modules)
            for modules in _flavours(have):
                yield _platform(have, Part(newest, ORIGIN), None, modules)


def _step(row: dict[str, Any], here: int) -> tuple[bool, bool, int]:
    ended = bool(row.get("eol_past"))
    return ended, row["branch"] < here, abs(row["branch"] - here)


def _newest(row: dict[str, Any]) -> str:
    """Return the newest release of a branch, or the first without known holes if that is newer."""
    floors = [
        one["lowest_safe"] for one in table("security")["driver_floor"] if one["branch"] == row["branch"]
    ]
    return str(max([*(one["v"] for one in row["releases"]), *floors], key=parts))


def _flavours(have: Combination) -> list[Part]:
    """Return the other flavour of the kernel modules, where one is named."""
    if have.kernel_modules is None:
        return []
    other = "proprietary" if have.kernel_modules.value == "open" else "open"
    return [Part(other, ORIGIN)]


def platform(have: Combination) -> Candidate:
    """Return the driver that is there, with its cuda-compat package if it has one."""
    assert have.driver is not None
    return _platform(have, have.driver, have.compat, have.kernel_modules)


def _platform(have: Combination, driver: Part, compat: Part | None, modules: Part | None = None) -> Candidate:
    """Return a driver and what stands between it and the build, so that every constraint has two sides."""
    flavour = modules or have.kernel_modules
    value = " ".join(one.value for one in (driver, compat, flavour) if one)
    return Candidate("driver", value, (("driver", driver), ("compat", compat), ("kernel_modules", flavour)))


def major_of(version: str) -> str:
    """Return the major CUDA version that a local part names: ``12`` for ``cu126`` and for ``cu12``."""
    return local(version).removeprefix("cu")[:2]
