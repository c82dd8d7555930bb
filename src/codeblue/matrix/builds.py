"""Which build of torch a combination means, and what that build was made for."""

from typing import Any, NamedTuple

from codeblue.knowledge.wheels import local, official_targets, plain, release
from codeblue.matrix.cited import cited, trusted
from codeblue.model.combination import Combination
from codeblue.model.judgement import Source

CPU = "cpu"


class Build(NamedTuple):
    """One build of torch: an official wheel, or what is installed."""

    name: str
    """As the user can ask for it: ``2.7.1+cu126``."""
    variant: str
    cuda: str | None
    """None for a build without CUDA."""
    targets: tuple[str, ...]
    """``sm_90``, ``compute_90``; empty if nobody knows."""
    unsure: tuple[str, ...]
    """Targets that it may have too: the sources do not settle it."""
    cudnn: str | None
    nccl: str | None
    sources: tuple[Source, ...]


def machine(asked: Combination) -> str:
    """Return the processor, x86_64 where nobody named one."""
    return asked.machine.value if asked.machine else "x86_64"


def variants(row: dict[str, Any], processor: str) -> dict[str, dict[str, Any]]:
    """Return the CUDA variants of a release for a processor."""
    found: dict[str, dict[str, Any]] = row["aarch64_variants" if processor == "aarch64" else "variants"]
    return found


def default_variant(row: dict[str, Any], processor: str) -> str:
    """Return the variant that the package index gives for the bare version."""
    return row["pypi_aarch64_variant" if processor == "aarch64" else "pypi_variant"] or CPU


def particular(asked: Combination, row: dict[str, Any], field: str) -> Any:
    """Return a field of the build that is meant, which is the release's where its builds do not differ."""
    assert asked.torch is not None
    processor = machine(asked)
    variant = local(asked.torch.value) or default_variant(row, processor)
    return variants(row, processor).get(variant, {}).get(field, row[field])


def of(asked: Combination) -> Build | None:
    """Return the build that is meant; None if there is none, or no table knows it."""
    if asked.torch is None:
        return None
    version = asked.torch.value
    if asked.targets or asked.torch_cuda:
        return _installed(asked, version)
    row = release(version)
    if row is None or (asked.torch.distribution == "conda" and not local(version)):
        return None
    variant = local(version) or default_variant(row, machine(asked))
    source = cited("torch_releases", row["version"], row)
    name = f"{plain(version)}+{variant}"
    if variant == CPU:
        return Build(name, CPU, None, (), (), None, None, source)
    found = variants(row, machine(asked)).get(variant)
    if found is None:
        return None
    return _official(name, variant, found, source)


def _installed(asked: Combination, version: str) -> Build:
    """Return the installed build; what it was made for is known of official ones only, if it did not say."""
    cuda = asked.torch_cuda.value if asked.torch_cuda else None
    targets = asked.targets or tuple(official_targets(version, cuda))
    return Build(version, local(version), cuda, targets, (), None, None, ())


def _official(name: str, variant: str, found: dict[str, Any], source: tuple[Source, ...]) -> Build:
    code = tuple(f"sm_{number}" for number in found["sm"]) if trusted(found, "sm") else ()
    ptx = tuple(f"compute_{number}" for number in found.get("ptx", ()))
    unsure = tuple(f"sm_{number}" for number in found.get("sm_unsure", ()))
    cudnn, nccl = (found[part] if trusted(found, part) else None for part in ("cudnn", "nccl"))
    return Build(name, variant, found["cuda"], code and code + ptx, unsure, cudnn, nccl, source)
