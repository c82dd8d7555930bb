"""
## What it means
`libnvidia-ml.so.1`, the driver's management library, cannot be loaded. `nvidia-smi`, DCGM, the device
plugin and every monitor depend on it and fail; CUDA itself does not need it, so torch may train
happily at the same moment. A container runtime that cannot load it hands no GPU to any container.

## Why it happens
The package that brings it is missing or has another version than the rest of the driver
(`libnvidia-compute` on Ubuntu, `nvidia-driver-cuda` or `nvidia-driver-NVML` on Red Hat), the folder is
not in the loader's cache, or the file is empty or cut short after a full disk, an interrupted update,
or in an image that was committed from a running GPU container. In a container the capability
`utility` in `NVIDIA_DRIVER_CAPABILITIES` is what brings this file.

## When it is not a fault
On a machine or in a container that has no GPU and no driver, "NVML Shared Library Not Found" is the
right answer. A job that only computes does not need NVML.

## What to do
`ldconfig -p | grep libnvidia-ml` and `ls -l` on the file show which it is. Install the user-space
package in exactly the version of the loaded module, or put the folder on the loader's path and run
`ldconfig`. In a container, start it with the capabilities `compute,utility`.

## How safe the fix is
Running jobs are not disturbed: NVML is opened by tools when they start.
"""

from collections.abc import Iterator

from codeblue.faults.libraries import driver_library
from codeblue.model.facts import Container, Driver, Host, Loader, Nvml, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text

SONAME = "libnvidia-ml.so.1"


@fault(
    "nvml-library-not-found",
    title=Text("The driver's NVML library cannot be loaded", "无法加载驱动的 NVML 库"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("nvml-init-failed", "nvidia-smi-failed"),
    references=(
        Reference(
            "NVML API reference: initialization and cleanup",
            "https://docs.nvidia.com/deploy/nvml-api/api/group__nvmlInitializationAndCleanup.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"libnvidia-ml|\bNVML\b|pynvml",
                r"cannot open|not found|could not (?:load|find)|couldn't find|unable to (?:load|find)|"
                r"no such file|missing|找不到|缺少|无法加载",
            ),
            none=(
                r"could not load NVML library",
                r"default runtime",
                r"Driver/library",
                r"symlink|->",
                r"nvidia-container-(?:cli|runtime)",
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    signatures=(
        Signature("find libnvidia-ml.so", r"NVIDIA-SMI couldn't find libnvidia-ml\.so library"),
        Signature(
            "libnvidia-ml.so.1: cannot open",
            r"(^|[Ee]rror: |libraries: |library: )libnvidia-ml\.so\.1: cannot open shared object",
            Certainty.LIKELY,
        ),
        Signature("NVML Shared Library Not Found", r"NVML Shared Library Not Found", Certainty.LIKELY),
        Signature("libnvidia-ml.so.", r"libnvidia-ml\.so(\.[0-9]+)+: (file too short|invalid ELF header)"),
        Signature("NVMLError_LibraryNotFound", r"NVMLError_LibraryNotFound", Certainty.LIKELY),
        Signature("libnvidia-ml.so", r"libnvidia-ml\.so\.1 => not found", Certainty.LIKELY),
        Signature(
            "libnvidia-ml",
            r"(?:[Ff]ailed to (?:load|open|find)|[Uu]nable to (?:load|open|find|locate)|"
            r"[Cc]ould ?n[o']t (?:load|open|find|locate)|[Cc]annot (?:load|open|"
            r"find)) (?:the )?(?:library )?['\x22]?libnvidia-ml",
            Certainty.LIKELY,
        ),
    ),
    next_command="ldconfig -p | grep libnvidia-ml; find / -xdev -name 'libnvidia-ml.so*' 2>/dev/null",
)
def nvml_library_not_found(
    loader: Loader,
    pci: Pci,
    driver: Driver | None,
    container: Container | None,
    host: Host,
    nvml: Nvml | Unread | None = UNREAD,
) -> Iterator[Hit]:
    row = loader.libraries.get(SONAME)
    copies = loader.nvidia_ml_copies
    if isinstance(nvml, Nvml) or row is None or not driver_library.driver_runs(pci, driver, host, copies):
        return
    if container is not None:
        wanted = bool(driver_library.real_copies(copies))
    else:
        wanted = bool(driver_library.real_copies([*copies, *loader.libcuda_copies]))
    variant = driver_library.missing(row, copies, wanted)
    if variant is None:
        return
    yield Hit(
        subject=f"library:{SONAME}",
        variant=variant,
        certainty=Certainty.CERTAIN if nvml is None or row.path is not None else Certainty.LIKELY,
        summary=driver_library.summary(variant, SONAME, row, copies),
        because=cite(
            f"loader[{SONAME}].path", "loader.nvidia_ml_copies", *(("nvml.reason",) if nvml is None else ())
        ),
        remedy=driver_library.bring_back(variant, copies, driver),
    )
