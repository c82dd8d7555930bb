"""What an installer must be told to get a set."""

from collections.abc import Iterator

from codeblue.knowledge.companions import has_builds
from codeblue.knowledge.drivers import minimum
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import parts
from codeblue.knowledge.wheels import INDEX, local, plain, release
from codeblue.matrix import builds
from codeblue.model.combination import Combination
from codeblue.model.solution import Install, Package

FROM_INDEX = ("torch", "torchvision", "torchaudio")
PYTHON = "3.12"
"""For a set without torch: what most packages have wheels for."""


def install(have: Combination, then: Combination) -> Install:
    """Return the packages of a set, their index, and the interpreter and driver that they need."""
    build = builds.of(then) if then.torch else None
    row = release(then.torch.value) if then.torch else None
    machine = builds.machine(then)
    variant = build.variant if build and row else ""
    on_pypi = row is not None and variant == builds.default_variant(row, machine)
    packages = tuple(_from_index(have, then, variant))
    replaces = any(one.exact for one in packages)
    return Install(
        packages=packages + _tensorrt(then),
        index=INDEX + variant if variant and (replaces or not on_pypi) else None,
        cuda=build.cuda if build else None,
        python=_python(then),
        python_changes=have.python is not None and then.python != have.python,
        machine=machine,
        driver_floor=_floor(build.cuda) if build and build.cuda else None,
        compat=then.compat.value if then.compat else None,
    )


def _from_index(have: Combination, then: Combination, variant: str) -> Iterator[Package]:
    before = builds.of(have) if have.torch else None
    moved = before is not None and before.variant != variant
    machine = builds.machine(then)
    for name in FROM_INDEX:
        part, old = getattr(then, name), getattr(have, name)
        if part is not None:
            same = old is not None and plain(old.value) == plain(part.value)
            own = name == "torch" or (then.torch is not None and has_builds(name, then.torch.value, machine))
            yield Package(name, plain(part.value), variant, exact=moved and same and own and bool(variant))


def _tensorrt(then: Combination) -> tuple[Package, ...]:
    if then.tensorrt is None:
        return ()
    flavour = local(then.tensorrt.value)
    return (Package(f"tensorrt-{flavour}" if flavour else "tensorrt", plain(then.tensorrt.value)),)


def _python(then: Combination) -> str:
    """Return the minor version that is named, else the middle one of those with wheels."""
    if then.python is not None:
        major, minor = parts(then.python.value)[:2]
        return f"{major}.{minor}{'t' if then.python.value.endswith('t') else ''}"
    row = release(then.torch.value) if then.torch else None
    if row is None:
        return PYTHON
    known = row.get("python_aarch64", row["python"]) if builds.machine(then) == "aarch64" else row["python"]
    usual = [one for one in known if not one.endswith("t")]
    return str(usual[len(usual) // 2]) if usual else PYTHON


def _floor(cuda: str) -> str:
    """Return the oldest driver on which programs of this CUDA start."""
    row = by_key("cuda_toolkits", "version")[cuda]
    return minimum(cuda) or str(row["updates"][0]["driver"])
