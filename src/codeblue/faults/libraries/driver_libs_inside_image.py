"""
## What it means
The container's image holds driver libraries of its own, `libcuda` or `libnvidia-ml` of the machine on
which it was built, beside those that the container runtime brings in from this host. Either the
runtime refuses to start the container ("file creation failed: ...: file exists"), or programs in it
load the wrong copy and fail with "Driver/library version mismatch", 803, or "file too short".

## Why it happens
A driver or `libnvidia-compute` package was installed in the image, often drawn in by `cuda` instead of
`cuda-toolkit` or by `nvidia-opencl-dev`. Or the image was committed from a running GPU container, or
built with NVIDIA as the default runtime: then empty files and links of the build host's version stay.

## When it is not a fault
An image may hold the stubs of the toolkit and a compat package. A leftover of the very same version
as the host's driver works, until the host is updated. In LXC it is the custom to install the
user-space driver inside; there it only has to be of the host's version.

## What to do
In the Dockerfile install `cuda-toolkit-X-Y` rather than `cuda`, and remove what is already in:
`apt-get purge 'libnvidia-*' 'nvidia-*'`, then `rm -f` on `libcuda.so*` and `libnvidia-ml.so*` in the
library folder. Build without GPUs and rebuild the base images as well, since a later layer cannot shrink
an earlier one. Do not commit images from GPU containers.

## How safe the fix is
It changes the image only. Purging packages inside a *running* GPU container can hit the host's
mounted files: do it in the build.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.driver_library import failing
from codeblue.faults.libraries.search_path import under
from codeblue.model.facts import Container, Cuda, Driver, Library, Loader, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

REBUILD = Remedy(
    message("rebuild the image without driver libraries", "重新构建不含驱动库的镜像"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "remove the packages libnvidia-* and nvidia-* and the leftover files in the Dockerfile",
                "在 Dockerfile 里删除 libnvidia-*、nvidia-* 软件包和残留文件",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "driver-libs-inside-image",
    title=Text("The image holds driver libraries of another machine", "镜像里带着别的机器的驱动库"),
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
        "driver-upgraded-without-reboot",
        "driver-packages-mixed-versions",
    ),
    references=(
        Reference(
            "NVIDIA container toolkit: libnvidia-ml.so.1: file exists",
            "https://github.com/NVIDIA/nvidia-container-toolkit/issues/371",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA/nvidia-docker#856: driver version baked into docker build",
            "https://github.com/NVIDIA/nvidia-docker/issues/856",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"lib(?:cuda|nvidia)[\w.-]*\.so\S* +-> +\S*\.so\.\d{3}\.\d|lib(?:cuda|"
                r"nvidia-\w+)\.so\.\d{3}\.\d+|nvidia-(?:driver|utils|compute|\d{3})|libnvidia-compute|"
                r"driver (?:packages?|librar|files)|驱动(?:库|包|文件)",
                r"(?:in|inside|into|within|from) (?:the |my |our |this )?(?:base |docker |"
                r"container )?(?:image|container|dockerfile)|image (?:was |is )?built|"
                r"image (?:carries|contains|has|ships|already)|docker (?:build|commit)|baked|"
                r"build host|\bDockerfile\b|镜像(?:里|中|内)|容器(?:里|中|内)",
                r"version mismatch|mismatch|host (?:runs|has|driver)|machine runs|file exists|"
                r"different driver|unknown error|error|fail|cannot|can't|unable|not found|crash|abort|"
                r"missing|unavailable|\bFalse\b|invalid|undefined|no such|segfault|segmentation|"
                r"not work|n't work|报错|错误|失败|无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"\bcompat\b",
                r"cuda-compat",
                r"stubs",
                r"Dockerfile:\d",
                r"LD_LIBRARY_PATH",
            ),
        ),
    ),
    signatures=(
        Signature(
            "file creation failed",
            r"file creation failed: \S+/(?P<library>lib(cuda|nvidia)[^/ ]*|nvidia-[a-z-]+): file exists",
            subject="library:{library}",
        ),
        Signature(
            "is empty, not checked",
            r"ldconfig\S*: (?:File )?\S*/lib(?:cuda|nvidia-)\S* is empty, not checked",
            Certainty.LIKELY,
        ),
    ),
    remedy=REBUILD,
)
def driver_libs_inside_image(
    container: Container,
    driver: Driver,
    loader: Loader,
    cuda: Cuda | Unread | None = UNREAD,
    nvml: Nvml | Unread | None = UNREAD,
) -> Iterator[Hit]:
    if container.engine == "lxc" or not container.injected:
        return
    for soname, certainty, symptom in failing(cuda, nvml):
        row = loader.libraries.get(soname)
        if row is None or not comes_from_image(row, container) or row.version == driver.module_version:
            continue
        yield Hit(
            subject=f"library:{soname}",
            certainty=certainty,
            summary=message(
                "{path} ({found}) is part of the image; the host's driver is {version}",
                "{path}（{found}）是镜像自带的，宿主机驱动是 {version}",
                path=row.real,
                found=row.version,
                version=driver.module_version,
            ),
            because=cite(f"loader[{soname}].real", "driver.module_version", "container.injected", *symptom),
        )


def comes_from_image(row: Library, container: Container) -> bool:
    """True if the file is of a known version and was not mounted by the container runtime."""
    if row.real is None or row.version is None or under(row.real, "compat") or under(row.real, "stubs"):
        return False
    real = row.real
    return not any(real == place or real.startswith(f"{place}/") for place in container.injected)
