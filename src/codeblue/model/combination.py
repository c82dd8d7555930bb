"""Versions that are to work together, each with the place that names it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, structs


class Part(Struct, frozen=True):
    """One version or name, and where it comes from: an option, a file and line, a fact."""

    value: str
    origin: str
    distribution: str = ""
    """Name of the package that brings it, where that is known (``nvidia-cudnn-cu12``); ``conda`` for all of
    conda's."""


class Combination(Struct, frozen=True, kw_only=True):
    """What is known of a machine and of what shall run on it; None for what nobody named."""

    machine: Part | None = None
    """Processor: ``x86_64`` or ``aarch64``; None counts as ``x86_64``."""
    driver: Part | None = None
    """Release (``535.129.03``) or branch (``535``)."""
    kernel_modules: Part | None = None
    """Flavour of the kernel modules: ``open`` or ``proprietary``."""
    gpus: tuple[Part, ...] = ()
    """Names as nvidia-smi prints them, or compute capabilities (``8.9``)."""
    python: Part | None = None
    glibc: Part | None = None
    """Version, or ``musl``."""
    torch: Part | None = None
    """Release with its CUDA variant where that is known: ``2.7.1+cu128``."""
    targets: tuple[str, ...] = ()
    """What an installed torch says that it was compiled for (``sm_90``); empty for an official build."""
    torch_cuda: Part | None = None
    """CUDA of an installed torch that is no official build."""
    torchvision: Part | None = None
    torchaudio: Part | None = None
    triton: Part | None = None
    cuda: Part | None = None
    """Toolkit or image, for programs that are compiled or linked against it."""
    nvcc: Part | None = None
    """CUDA compiler with which extensions are to be built."""
    nvcc_at_hand: Part | None = None
    """CUDA compiler of the machine or image, which a build would take, if there is one to come."""
    cudnn: Part | None = None
    nccl: Part | None = None
    tensorrt: Part | None = None
    """Version; with a flavour where the package names one: ``10.13.0.35+cu12``."""
    compat: Part | None = None
    """CUDA version of the installed cuda-compat package."""
    toolkit: Part | None = None
    """NVIDIA container toolkit."""
    require_cuda: Part | None = None
    """Value of NVIDIA_REQUIRE_CUDA of the image."""
    extensions: tuple[Part, ...] = ()
    """File names of wheels that were compiled against a release of torch."""

    def having(self, parts: Mapping[str, Part]) -> "Combination":
        """Return it with these parts, by their names."""
        return structs.replace(self, **parts)

    def parts(self) -> Iterator[tuple[str, Part]]:
        """Yield each part that is known, with its name."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, Part):
                    yield name, part

    def over(self, other: "Combination") -> "Combination":
        """Return both together; what this one names hides what the other one says of it."""
        mine = {name: getattr(self, name) for name in self.__struct_fields__ if getattr(self, name)}
        return structs.replace(other, **mine)
