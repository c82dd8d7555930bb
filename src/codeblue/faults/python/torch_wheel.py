"""The remedies that put another official build of torch in place, as the version matrix solves it."""

from collections.abc import Iterable, Iterator

from codeblue.knowledge.wheels import INDEX, local, newest_variant, plain, release
from codeblue.model.combination import Combination, Part
from codeblue.model.facts import Driver, Host, Nvml, Python, Torch
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.solution import Package, Solution, Wish
from codeblue.model.text import Message, message

WHY = message(
    "this build has CUDA, runs with the installed driver and has code for the GPU",
    "这个构建带 CUDA，能配合已安装的驱动运行，并且含有该 GPU 的代码",
)
UNSURE = message(
    "this build has CUDA; check that the driver is new enough for it",
    "这个构建带 CUDA；请先确认驱动够新",
)
WITH_TORCH = message(
    "it is built for one release of torch and its CUDA", "它是针对某一版 torch 及其 CUDA 构建的"
)
COMPANIONS = ("torchvision", "torchaudio")
FIXED = frozenset(("driver", "compat", "python"))
"""What another wheel does not change."""


def cuda_build(
    python: Python, torch: Torch, host: Host, driver: Driver | None, gpus: Iterable[str] = ()
) -> Remedy:
    """Return the remedy that installs a CUDA build of the same torch version, or of the nearest that works.

    ``gpus`` are names or compute capabilities. Without any of them the newest build for the driver is
    taken, and without knowledge of the driver the one that the standard index has for the version.
    """
    wanted = tuple(gpus)
    same = another(python, _same_release(torch, host, driver), driver is not None) if not wanted else None
    if same is not None:
        return same
    start = torch if wanted and release(torch.version) is not None else None
    have = _combination(python, start, host, driver, wanted)
    return solved(python, have, () if start is not None else (Wish("torch"),)) or _no_wheel(have)


def _same_release(torch: Torch, host: Host, driver: Driver | None) -> tuple[Package, ...]:
    row = release(torch.version) or {}
    usual = row.get("pypi_aarch64_variant" if host.machine == "aarch64" else "pypi_variant")
    variant = newest_variant(torch.version, host.machine, driver.module_version, ()) if driver else usual
    return (Package("torch", plain(torch.version), variant),) if variant else ()


def names(nvml: Nvml | None) -> list[str]:
    """Return the names of the GPUs that NVML lists."""
    gpus = nvml.gpus if nvml is not None and was_read(nvml, "gpus") else {}
    return list(dict.fromkeys(gpu.name for gpu in gpus.values() if was_read(gpu, "name")))


def solved(python: Python, have: Combination, wishes: tuple[Wish, ...] = ()) -> Remedy | None:
    """Return the remedy that reaches the nearest set with other wheels only, None if there is none."""
    best = _solve(have, wishes)
    changed = {one.part for one in best.changes} if best is not None else frozenset()
    if best is None or not changed or changed & FIXED:
        return None
    return another(python, best.install.packages, have.driver is not None)


def wished(
    python: Python | None,
    torch: Torch | None,
    host: Host | None,
    driver: Driver | None,
    gpus: Iterable[str],
    rule: str = "",
) -> Remedy | None:
    """Return the remedy that installs a torch that works here, by a rule (``2.11.*``) if there is one.

    None if no official build does, if torch is none of them, or if too little is known of the machine.
    """
    if python is None or host is None or not was_read(python, "executable") or not was_read(host, "machine"):
        return None
    if torch is not None and (not was_read(torch, "version") or release(torch.version) is None):
        return None
    have = _combination(python, torch, host, driver, tuple(gpus))
    return solved(python, have, (_wish(rule),) if rule else ())


def _wish(rule: str) -> Wish:
    variant = local(rule)
    specifier = plain(rule)
    if not specifier.startswith(("=", "<", ">", "!", "~")):
        exact = specifier.endswith("*") or specifier.count(".") > 1
        specifier = f"=={specifier}" if exact else f"=={specifier}.*"
    return Wish("torch", specifier, variant)


def _combination(
    python: Python, torch: Torch | None, host: Host, driver: Driver | None, gpus: tuple[str, ...]
) -> Combination:
    """Return what is there, as ``matrix solve`` sees it, but for the kernel modules: they drive the GPU."""
    found = {
        "machine": Part(host.machine, "host.machine"),
        "python": Part(python.version, "python.version") if was_read(python, "version") else None,
        "torch": _torch(torch) if torch is not None else None,
        "glibc": Part(host.glibc, "host.glibc") if was_read(host, "glibc") and host.glibc else None,
        "driver": _release(driver),
    }
    if torch is not None:
        found |= {name: Part(version, f"python[{name}].version") for name, version in _companions(python)}
    listed = tuple(Part(gpu, "nvml.gpus") for gpu in gpus)
    return Combination(gpus=listed).having({name: part for name, part in found.items() if part})


def _release(driver: Driver | None) -> Part | None:
    if driver is None or not was_read(driver, "module_version"):
        return None
    return Part(driver.module_version, "driver.module_version")


def _torch(torch: Torch) -> Part:
    cpu = was_read(torch, "cuda") and torch.cuda is None and not local(torch.version)
    return Part(f"{torch.version}+cpu" if cpu else torch.version, "torch.version")


def _companions(python: Python) -> Iterator[tuple[str, str]]:
    for name in COMPANIONS:
        row = python.distributions.get(name) if was_read(python, "distributions") else None
        if row is not None and was_read(row, "version"):
            yield name, row.version


def _solve(
    have: Combination, wishes: tuple[Wish, ...] = (), keep: frozenset[str] = frozenset()
) -> Solution | None:
    from codeblue.matrix.solve.search import solve  # the resolver costs a quarter of a second to import

    return next(iter(solve(have, wishes, keep, 1).best), None)


def another(python: Python, packages: tuple[Package, ...], driver_known: bool) -> Remedy | None:
    """Return the remedy that installs these wheels from the index of their CUDA; None if there are none."""
    wheels = [one for one in packages if one.variant]
    if not wheels or any(one.variant == "cpu" for one in wheels):
        return None
    why = WHY if driver_known else UNSURE
    named = [f"{one.name}=={one.version}+{one.variant}" for one in wheels]
    steps = tuple(
        Step(
            Verb.PIP_INSTALL,
            why if one.name == "torch" else WITH_TORCH,
            {"python": python.executable, "requirement": requirement, "index": INDEX + one.variant},
        )
        for one, requirement in zip(wheels, named, strict=True)
    )
    return Remedy(
        message("install {requirement}", "安装 {requirement}", requirement=" ".join(named)),
        steps,
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


def _no_wheel(have: Combination) -> Remedy:
    """Return what is left to say where no wheel runs with this driver."""
    best = _solve(have, keep=frozenset(("python", "compat")))
    driver = best.combination.driver if best is not None and best.changes else None
    return Remedy(
        message("no wheel helps here", "换 wheel 在此无济于事"),
        (Step(Verb.INSTRUCT, _newer(driver.value if driver else None)),),
        Automation.HUMAN,
        Undo.NONE,
    )


def _newer(driver: str | None) -> Message:
    if driver is None:
        return message(
            "no official build of torch runs with this driver and these GPUs",
            "没有哪个官方 torch 构建能在这个驱动和这些 GPU 上运行",
        )
    return message(
        "no official build of torch runs with this driver and these GPUs; they need driver {driver} or newer",
        "没有哪个官方 torch 构建能在这个驱动和这些 GPU 上运行；需要驱动 {driver} 或更新版本",
        driver=driver,
    )
