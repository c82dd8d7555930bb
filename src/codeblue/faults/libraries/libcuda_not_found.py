"""
## What it means
The kernel module of the driver is loaded and a GPU is on the bus, but this process cannot load
`libcuda.so.1`, the driver's own user-space library. Without it no CUDA program starts; torch says
"Found no NVIDIA driver on your system", although a driver is there. `nvidia-smi` may still work,
because it needs another library.

## Why it happens
Variant `not-installed`: only the kernel half of the driver, or only its tools, were installed, for
instance without `libnvidia-compute` on Ubuntu or `nvidia-driver-cuda-libs` on Red Hat. `not-on-path`:
the file lies in a folder that is neither in the loader's cache nor in `LD_LIBRARY_PATH`, usual on
GKE, NixOS and in hand-made containers. `file-damaged`: the file is empty or cut short, after a full
disk, an interrupted update, or because an image holds a placeholder that a container runtime left.

## When it is not a fault
A container that was started without GPUs has no `libcuda` on purpose; look at how it was started. On
a Kubernetes node whose driver runs in a container the host itself has none. A desktop that never runs
CUDA does not need it.

## What to do
`ldconfig -p | grep libcuda` and `ls -l` on what it shows tell the variants apart. Install the
user-space package in exactly the version of the loaded module, which is the first line of
`/proc/driver/nvidia/version`; or put the folder on the loader's path and run `ldconfig`. Never copy a
`libcuda` from another machine and never link the toolkit's stub in its place.

## How safe the fix is
Jobs that run have their libraries open already and are not disturbed. A package of another version
than the module breaks more than it mends, so give the version.
"""

from collections.abc import Iterator

from codeblue.faults.libraries import driver_library
from codeblue.model.facts import Container, Cuda, Driver, Host, Loader, Pci, Torch
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text

SONAME = "libcuda.so.1"


@fault(
    "libcuda-not-found",
    title=Text("The driver's libcuda cannot be loaded", "无法加载驱动的 libcuda"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable", "torch-import-failed"),
    references=(
        Reference(
            "NVIDIA driver installation guide",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\blibcuda(?:\.so)?(?:\.1)?\b",
                r"cannot open|not found|could not (?:load|find)|unable to (?:load|find)|"
                r"failed to (?:load|find)|no such file|missing|cannot find the file|找不到|缺少|"
                r"无法加载|打不开",
                r"nvidia-smi|driver|驱动|container|docker|headless|ldconfig|libnvidia-compute|apt|dnf|"
                r"yum|cuda-drivers",
            ),
            none=(
                r"-lcuda",
                r"libcuda\.so: cannot",
                r"stubs?/",
                r"compat",
                r"libcuda\.so cannot found",
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    signatures=(
        Signature(
            "libcuda.so.1: cannot open",
            r"(^|[\"'(]|[^r]: |([^l]e|E)rror: )libcuda\.so\.1: cannot open shared object",
            Certainty.LIKELY,
        ),
        Signature("libcuda.so", r"libcuda\.so(\.[0-9]+)+: (file too short|invalid ELF header)"),
        Signature("libcuda.so.1 => not found", r"libcuda\.so\.1 => not found", Certainty.LIKELY),
        Signature(
            "Could not load dynamic library 'libcuda.so",
            r"Could not load dynamic library 'libcuda\.so\.1'",
            Certainty.LIKELY,
        ),
        Signature("annot load libcuda", r"[Cc]annot load libcuda\.so", Certainty.LIKELY),
        Signature(
            "CUDA driver library cannot be found", r"CUDA driver library cannot be found", Certainty.LIKELY
        ),
        Signature(
            "libcuda.so",
            r"(?:[Ff]ailed to (?:load|open|find)|[Uu]nable to (?:load|open|find|locate)|"
            r"[Cc]ould ?n[o']t (?:load|open|find|locate)|[Cc]annot (?:open|"
            r"find)) (?:the )?(?:library )?['\x22]?libcuda\.so",
            Certainty.LIKELY,
        ),
    ),
    next_command="ldconfig -p | grep libcuda; find / -xdev -name 'libcuda.so*' 2>/dev/null",
)
def libcuda_not_found(
    loader: Loader,
    pci: Pci,
    driver: Driver | None,
    container: Container | None,
    host: Host,
    torch: Torch | None = None,
    cuda: Cuda | Unread | None = UNREAD,
) -> Iterator[Hit]:
    row = loader.libraries.get(SONAME)
    copies = loader.libcuda_copies
    if isinstance(cuda, Cuda) or row is None or not driver_library.driver_runs(pci, driver, host, copies):
        return
    variant = driver_library.missing(row, copies, is_wanted(container, torch, loader))
    if variant is None:
        return
    yield Hit(
        subject=f"library:{SONAME}",
        variant=variant,
        certainty=Certainty.CERTAIN if cuda is None or row.path is not None else Certainty.LIKELY,
        summary=driver_library.summary(variant, SONAME, row, copies),
        because=cite(
            f"loader[{SONAME}].path", "loader.libcuda_copies", *(("cuda.reason",) if cuda is None else ())
        ),
        remedy=driver_library.bring_back(variant, copies, driver),
    )


def is_wanted(container: Container | None, torch: Torch | None, loader: Loader) -> bool:
    """True if libcuda is expected: a copy is in this container, or this host has a use for one."""
    if container is not None:
        return bool(driver_library.real_copies(loader.libcuda_copies))
    if torch is not None and torch.cuda is not None:
        return True
    return bool(driver_library.real_copies([*loader.nvidia_ml_copies, *loader.libcuda_copies]))
