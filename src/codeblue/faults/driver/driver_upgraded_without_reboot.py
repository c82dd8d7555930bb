"""
## What it means
The driver's libraries on disk are newer than the kernel module in memory. The two must be of exactly the
same release: NVML refuses with 18 ("Driver/library version mismatch"), CUDA with 803.

## Why it happens
A package update replaced the libraries, the new module lies on disk, and the old one is still loaded
because the machine was not rebooted. Unattended upgrades do this at night. Programs that were started
before go on working, since they hold the old libraries: that is why it looks as if "only new jobs fail".

## When it is not a fault
What counts is what the driver says. A library file whose name shows another release while `cuInit` works
is no trouble, and libcuda from a cuda-compat package is newer on purpose.

## What to do
Reboot; this is the sure way. Without a reboot: stop everything that uses the GPU (jobs,
nvidia-persistenced, DCGM, the display), unload nvidia_uvm, nvidia_drm, nvidia_modeset and nvidia in this
order, then `modprobe nvidia`. To keep it from coming back, hold the driver packages (`apt-mark hold`)
and update them only in a window with a reboot.

## How safe the fix is
A reboot ends all jobs on the machine, also those that still run with the old libraries: let them finish.
A containerised job needs the fix on its host, not in its image.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.driver.library_versions import (
    injected,
    library_versions,
    mismatch_symptoms,
    package_versions,
)
from codeblue.faults.words import NO_GPU
from codeblue.knowledge.versions import older
from codeblue.model.facts import Container, Cuda, Driver, Loader, Nvml, Packages
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

REBOOT = Remedy(
    message("reboot into the installed driver", "重启以使用已安装的驱动"),
    (
        Step(
            Verb.REBOOT,
            message("the module in memory is replaced at boot", "内存中的模块在重启时被替换"),
        ),
    ),
    Automation.APPROVAL,
    Undo.NONE,
)


@fault(
    "driver-upgraded-without-reboot",
    title=Text(
        "The driver was upgraded, but the old kernel module is still loaded",
        "驱动已升级，但旧的内核模块仍在内存中",
    ),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "driver-version-unexpected",
    ),
    references=(
        Reference(
            "CUDA driver API, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
            "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA driver README, common problems (API mismatch)",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/commonproblems.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("river/library version mismatch", r"[Dd]river/library version mismatch", Certainty.LIKELY),
        Signature("NVRM: API mismatch", r"NVRM: API mismatch: the client", Certainty.LIKELY),
        Signature(
            "unsupported display driver / cuda driver combination",
            r"unsupported display driver / cuda driver combination",
            Certainty.POSSIBLE,
        ),
        Signature(
            "does not match DSO version",
            r"kernel version [\d.]+ does not match DSO version",
            Certainty.LIKELY,
        ),
        Signature(" has the version ", r"[Cc]lient\b.{0,40} has the version \d{3}\.\d", Certainty.LIKELY),
        Signature(
            "NVML_ERROR_LIB_RM_VERSION_MISMATCH", "NVML_ERROR_LIB_RM_VERSION_MISMATCH", Certainty.LIKELY
        ),
        Signature("RmApiMismatch", "RmApiMismatch", Certainty.LIKELY),
        Signature("LibRmVersionMismatch", "LibRmVersionMismatch", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"unattended|auto(?:matic)?[- ]?(?:upgrad|updat)|(?:upgrad|updat)\w*.{0,30}(?:driver"
                r"|nvidia|packages|system)|(?:driver|nvidia)\b.{0,30}(?:upgrad|updat)|自动(?:更新"
                "|升级)|(?:更新|升级).{0,6}驱动|驱动.{0,6}(?:更新|升级)",
                "(?:not|without|before|no|haven't|hasn't|didn't|yet to|never).{0,14}reboot"
                r"|reboot\w*.{0,12}(?:fix|help|solve|pending|required|cure)|old (?:kernel )?module"
                "|still loaded|没(?:有)?重启|未重启|还没重启|重启.{0,6}(?:就好|恢复|解决)"
                "|/proc/driver/nvidia/version",
                NO_GPU + "|mismatch|不匹配|不一致",
            ),
            none=(
                "kernel.{0,20}(?:upgrad|updat)|内核.{0,6}(?:升级|更新)|suspend|fabric|CDI|container's"
                "|Unknown Error|secure ?boot|nouveau",
            ),
        ),
        Clue(
            all=(
                "803|unsupported display driver",
                r"(?:upgrad|updat|install)\w*.{0,25}(?:driver|nvidia)|(?:driver"
                "|nvidia).{0,25}(?:upgrad|updat)|驱动.{0,6}(?:更新|升级)|(?:更新|升级).{0,6}驱动"
                "|reboot|重启",
            ),
            none=("compat|NGC|nvcr|image|镜像|forward",),
        ),
    ),
    remedy=REBOOT,
    next_command="cat /proc/driver/nvidia/version; ldconfig -p | grep -E 'libcuda|libnvidia-ml'",
)
def driver_upgraded_without_reboot(
    driver: Driver,
    loader: Loader | Unread = UNREAD,
    container: Container | Unread | None = UNREAD,
    nvml: Nvml | None = None,
    cuda: Cuda | None = None,
    *,
    packages: Packages | Unread | None = UNREAD,
) -> Iterator[Hit]:
    module = driver.module_version
    symptoms = mismatch_symptoms(nvml, cuda)
    if not isinstance(loader, Loader) or isinstance(container, UnsetType):
        yield from _by_words(module, loader, packages, symptoms)
        return
    versions = library_versions(loader)
    if not symptoms or len(set(versions.values())) != 1:
        return
    if container is not None and not all(injected(loader, name, container) for name in versions):
        return
    [library] = set(versions.values())
    if older(module, library):
        yield Hit(
            subject="driver",
            certainty=Certainty.CERTAIN if container is None else Certainty.LIKELY,
            summary=message(
                "the loaded module is {module}, the libraries are {library}",
                "已加载的模块是 {module}，库是 {library}",
                module=module,
                library=library,
            ),
            because=cite(
                "driver.module_version",
                *(f"loader.libraries[{name}].version" for name in versions),
                *symptoms,
            ),
        )


def _by_words(
    module: str, loader: Loader | Unread, packages: Packages | Unread | None, symptoms: list[str]
) -> Iterator[Hit]:
    """Judge what a text tells: the module, and the version of a library or of the driver's packages."""
    libraries = library_versions(loader) if isinstance(loader, Loader) else {}
    installed = package_versions(packages) if isinstance(packages, Packages) else {}
    paths = [f"loader.libraries[{name}].version" for name in libraries] or [
        f"packages[{name}].version" for name in list(installed)[:2]
    ]
    told = set(libraries.values()) or set(installed.values())
    # The tools cut a release short: 550.107 is 550.107.02.
    found = {one for one in told if not any(other.startswith(f"{one}.") for other in told)}
    newer = [version for version in found if older(module, version)]
    if len(found) == 1 and newer:
        yield Hit(
            subject="driver",
            certainty=Certainty.LIKELY if symptoms else Certainty.POSSIBLE,
            summary=message(
                "the loaded module is {module}, what is installed is {library}",
                "已加载的模块是 {module}，已安装的是 {library}",
                module=module,
                library=newer[0],
            ),
            because=cite("driver.module_version", *paths, *symptoms),
        )
