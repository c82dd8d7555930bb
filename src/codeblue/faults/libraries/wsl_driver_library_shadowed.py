"""
## What it means
Under WSL the Windows driver serves Linux programs through the libraries in `/usr/lib/wsl/lib`. Here a
`libcuda` or `libnvidia-ml` from a Linux driver package is found first. It looks for a kernel module
that WSL does not have, and fails.

## Why it happens
A Linux driver was installed inside WSL: by `apt install nvidia-driver-...`, by the package `cuda`
(which draws a driver in) instead of `cuda-toolkit`, by a `.run` file, or as a dependency such as
`libnvidia-compute`. Its folder `/usr/lib/x86_64-linux-gnu` is then searched before WSL's.

## When it is not a fault
If `cuInit` succeeds the right library is in use, wherever the link lies. In a container under WSL the
runtime mounts the libraries to other folders; that is judged as a container.

## What to do
Remove the Linux driver: `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`, then `sudo ldconfig`, and
`wsl --shutdown` from Windows if the old library is still in use. Install the toolkit only with
`cuda-toolkit-X-Y` from NVIDIA's WSL repository. Until then
`LD_LIBRARY_PATH=/usr/lib/wsl/lib` puts the right copy first for one program.

## How safe the fix is
Nothing in WSL can use the Linux driver, so nothing is lost. Look at the list that `apt` wants to
remove before you agree: a toolkit may be among it and can be installed again.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.driver_library import WSL, failing
from codeblue.faults.libraries.search_path import under
from codeblue.model.facts import Container, Cuda, Host, Library, Loader, Nvml
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

REMOVE = Remedy(
    message("remove the Linux driver from WSL", "从 WSL 中删除 Linux 驱动"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`: the driver belongs to Windows",
                "执行 `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`：驱动只应装在 Windows 中",
            ),
        ),
        Step(Verb.LDCONFIG, message("let the loader find WSL's copy again", "让加载器重新找到 WSL 的副本")),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "wsl-driver-library-shadowed",
    title=Text("A Linux driver library hides the one of WSL", "Linux 驱动库挡住了 WSL 自带的驱动库"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "libcuda-not-found",
        "nvml-library-not-found",
        "process-segfault",
        "nvidia-module-not-loaded",
    ),
    references=(
        Reference(
            "CUDA on WSL user guide: do not install a Linux driver",
            "https://docs.nvidia.com/cuda/wsl-user-guide/index.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\bWSL|/usr/lib/wsl|microsoft-standard|windows",
                r"nvidia-(?:driver|utils|compute-utils)-\d{3}|libnvidia-compute|"
                r"apt.{0,40}(?:nvidia-driver|cuda-drivers|nvidia-utils|install cuda\b)|(?:linux|"
                r"ubuntu)(?:'s)? (?:nvidia )?(?:display )?driver|/usr/lib/x86_64-linux-gnu/lib(?:cuda|"
                r"nvidia)|driver (?:inside|in) (?:WSL|ubuntu)|cuda-drivers|在 ?WSL.{0,8}(?:里|中|"
                r"内).{0,10}装.{0,6}驱动|Linux (?:版.{0,6})?驱动",
                r"NVML|nvidia-smi|cuInit|CUDA|segfault|segmentation|error|fail|cannot|can't|unable|"
                r"not found|crash|abort|missing|unavailable|\bFalse\b|invalid|undefined|no such|"
                r"segfault|segmentation|not work|n't work|报错|错误|失败|无法|不能|找不到|崩溃|不可用|"
                r"用不了|起不来",
            ),
            none=(
                r"is not a symbolic link",
                r"Blocked|blocked by the operating",
                r"-lcuda",
            ),
        ),
    ),
    remedy=REMOVE,
)
def wsl_driver_library_shadowed(
    host: Host,
    container: Container | None,
    loader: Loader,
    cuda: Cuda | Unread | None = UNREAD,
    nvml: Nvml | Unread | None = UNREAD,
) -> Iterator[Hit]:
    if not host.wsl or container is not None:
        return
    for soname, certainty, symptom in failing(cuda, nvml):
        copies = loader.libcuda_copies if soname == "libcuda.so.1" else loader.nvidia_ml_copies
        row = loader.libraries.get(soname)
        mine = next((path for path in copies if path.startswith(WSL)), None)
        if row is None or mine is None or not is_foreign(row):
            continue
        yield Hit(
            subject=f"library:{soname}",
            certainty=certainty,
            summary=message(
                "{path} is found before {mine}, the library that WSL provides",
                "{path} 先于 WSL 提供的 {mine} 被找到",
                path=row.path,
                mine=mine,
            ),
            because=cite("host.wsl", f"loader[{soname}].path", *symptom),
        )


def is_foreign(row: Library) -> bool:
    """True if a driver library outside WSL's folder was found (a stub has a fault of its own)."""
    if row.path is None or under(row.path, "stubs") or under(row.path, "compat"):
        return False
    return not row.path.startswith(WSL) and not (row.real or "").startswith(WSL)
