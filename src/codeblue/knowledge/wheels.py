"""Official PyTorch builds: which CUDA variants a release has and which of them a machine can use."""

from collections.abc import Iterable
from typing import Any

from codeblue.knowledge.architectures import runs
from codeblue.knowledge.drivers import Reach, reach
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import parts

INDEX = "https://download.pytorch.org/whl/"


def plain(version: str) -> str:
    """Return the version without its local part: ``2.11.0`` for ``2.11.0+cu130``."""
    return version.partition("+")[0]


def local(version: str) -> str:
    """Return the local part of a version: ``cu130`` for ``2.11.0+cu130``, else an empty text."""
    return version.partition("+")[2]


def release(version: str) -> dict[str, Any] | None:
    """Return the row of an official release; None for previews, rebuilds and unknown versions."""
    return by_key("torch_releases", "version").get(plain(version))


def driver_runs(driver: str, cuda: str) -> bool:
    """Return whether this driver runs programs built with this CUDA version (``12.8``).

    Either the driver is as new as the toolkit, or it meets the minimum of minor-version compatibility.
    """
    return reach(driver, cuda) in (Reach.OWN, Reach.MINOR)


def newest_variant(version: str, machine: str, driver: str, capabilities: Iterable[str]) -> str | None:
    """Return the newest CUDA variant of a release for this processor, driver and these GPUs.

    None if the release is unknown or none of its variants fits. Variants that nobody has checked are
    not proposed.
    """
    row = release(version)
    if row is None:
        return None
    variants = row["aarch64_variants" if machine == "aarch64" else "variants"]
    wanted = list(capabilities)
    fitting = [
        (parts(variant["cuda"]), name)
        for name, variant in variants.items()
        if variant["confidence"] != "low"
        and driver_runs(driver, variant["cuda"])
        and all(runs(capability, _targets(variant)) for capability in wanted)
    ]
    return max(fitting)[1] if fitting else None


def pypi_is_cpu_only(version: str, machine: str) -> bool:
    """Return whether the wheel of this release on PyPI has no CUDA on this processor."""
    row = release(version)
    return row is not None and machine == "aarch64" and row["pypi_aarch64_variant"] is None


def official_targets(version: str, cuda: str | None) -> list[str]:
    """Return what the official wheels of a release were compiled for; empty if that is not known.

    The variant is told by the local part of the version, or else by the CUDA of the build.
    """
    row = release(version)
    variants = row["variants"] if row else {}
    named = variants.get(local(version))
    fitting = [named] if named else [one for one in variants.values() if cuda and one["cuda"] == cuda]
    if len(fitting) != 1 or fitting[0]["confidence"] == "low":
        return []
    return _targets(fitting[0])


def _targets(variant: dict[str, Any]) -> list[str]:
    machine_code = [f"sm_{number}" for number in variant["sm"]]
    return machine_code + [f"compute_{number}" for number in variant.get("ptx", [])]
