"""
## What it means
The driver's libcuda was mounted into the container, but the dynamic loader does not find it: the folder
is neither in the container's `ld.so.cache` nor in `LD_LIBRARY_PATH`. Programs that ask for `libcuda.so.1`
by name, PyTorch among them, say that there is no driver.

## Why it happens
The toolkit mounts the libraries and then runs `ldconfig` for the container. That step is skipped or has
no effect when the root file system is read-only, the image has no `/etc/ld.so.cache` or another libc
(Alpine's musl), `ldconfig` is set to a wrong path in the toolkit's `config.toml`, or an administrator
mounted the libraries by hand into a folder that nobody configured. Singularity and enroot use folders of
their own and need their variable.

## When it is not a fault
Copies in a toolkit's `stubs` folder or in `compat` are not the driver and do not count. A program that
opens libcuda by its full path works.

## What to do
Run `ldconfig` in the container as root and look at `ldconfig -p | grep libcuda`. If the folder is not
configured, name it in `/etc/ld.so.conf.d/` first, or set `LD_LIBRARY_PATH` to it for the job. For good:
let the toolkit do it (`nvidia-ctk runtime configure`), or put the line into the image.

## How safe the fix is
The cache concerns this container only. A variable ends with its shell. Do not copy libcuda into the
image: it must come from the host's driver.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.driver_library import real_copies
from codeblue.faults.libraries.search_path import folder
from codeblue.model.facts import Container, Cuda, Loader
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

LIBCUDA = "libcuda.so.1"


def put_first(place: str, loader: Loader) -> Remedy:
    """Name the folder to the loader for this job."""
    value = ":".join([place, *loader.search_path])
    return Remedy(
        message("let the loader search {folder}", "让加载器搜索 {folder}", folder=place),
        (
            Step(
                Verb.ENV_SET,
                message(
                    "for this shell; for good put the folder into /etc/ld.so.conf.d and run ldconfig",
                    "对当前 shell 生效；要长期生效，请把该目录写入 /etc/ld.so.conf.d 并运行 ldconfig",
                ),
                {"name": "LD_LIBRARY_PATH", "value": value},
            ),
        ),
        Automation.APPROVAL,
        Undo.EXACT,
    )


@fault(
    "libcuda-not-in-ldcache-in-container",
    title=Text(
        "The container has libcuda, but its loader does not find it", "容器里有 libcuda，但加载器找不到"
    ),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "libcuda-not-found",
        "libcuda-unversioned-missing",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "nvml-library-not-found",
        "nvml-init-failed",
        "nvidia-smi-failed",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: troubleshooting",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
            "2026-11-30",
        ),
        Reference("Linux: ld.so(8)", "https://man7.org/linux/man-pages/man8/ld.so.8.html", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                r"libcuda\b|libnvidia-ml|driver librar|nvidia-smi|驱动库|is_available\(\)\W*False|"
                r"^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|NVIDIA)[- ]?(?:capable )?(?:gpu|"
                r"device)s?\b|Found no NVIDIA driver|(?:CUDA|GPUs?) (?:is |are )?(?:not |"
                r"un)(?:available|used|found|detected|recogni[sz]ed|visible|usable)|(?:not|n't|"
                r"never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |my )?(?:GPU|CUDA)|"
                r"cuda(?:GetDeviceCount|_init)|CUDA initialization|falls? back to (?:the )?CPU|"
                r"(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|显卡).{0,8}(?:用不了|不可用|"
                r"检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|识别不到|找不到|没有用上|"
                r"不认).{0,6}(?:GPU|CUDA|显卡)",
                r"ldconfig|ld\.so\.cache|ld\.so\.conf|loader cache|ldcache",
                r"container|docker|podman|\bpods?\b|kubernetes|\bk8s\b|singularity|apptainer|enroot|"
                r"\bimage\b|容器|镜像|/usr/local/nvidia|/run/nvidia",
            ),
            none=(
                r"-lcuda",
                r"libcuda\.so: cannot",
                r"stubs",
                # The cache has it; Triton takes the files that it offers from there.
                r"libcuda\.so\.1 \(libc6|Possible files are located at",
                r"GKE|/home/kubernetes",
                r"/compat",
                r"is empty, not checked",
                r"file exists",
                r"nvidia-container-cli: (?:ldcache|initialization)",
                r"NVIDIA_(?:VISIBLE_DEVICES|DRIVER_CAPABILITIES)",
                r"no such file or directory: unknown",
            ),
        ),
    ),
    next_command="ldconfig -p | grep libcuda; find / -xdev -name 'libcuda.so*' 2>/dev/null",
)
def libcuda_not_in_ldcache_in_container(
    container: Container, loader: Loader, cuda: Cuda | Unread | None = UNREAD
) -> Iterator[Hit]:
    row = loader.libraries.get(LIBCUDA)
    copies = real_copies(loader.libcuda_copies)
    if row is None or row.path is not None or not copies:
        return
    if isinstance(cuda, Cuda) and cuda.init == 0:
        return
    yield Hit(
        subject=f"library:{LIBCUDA}",
        certainty=Certainty.LIKELY if isinstance(cuda, Unread) else Certainty.CERTAIN,
        summary=message(
            "{copy} is in the container, but the loader does not find {soname}",
            "容器里有 {copy}，但加载器找不到 {soname}",
            copy=copies[0],
            soname=LIBCUDA,
        ),
        because=cite(f"loader.libraries[{LIBCUDA}].path", "loader.libcuda_copies", "container.engine"),
        remedy=put_first(folder(copies[0]), loader),
    )
