"""
## What it means
The driver's own libraries are not of one release: the libcuda that the loader finds and its libnvidia-ml
have different versions. Both must equal the kernel module, so at least one of them is refused.

## Why it happens
Packages of two driver series are installed side by side: a tool pulled in `libnvidia-compute` of another
series as a dependency, an upgrade was interrupted, NVIDIA's installer ran over a packaged driver, or a
folder with copied libraries comes first on LD_LIBRARY_PATH.

## When it is not a fault
A libcuda from cuda-compat is newer than libnvidia-ml on purpose, and the toolkit's stub has no version:
neither counts. As long as NVML and CUDA both start, files of another release may lie around.

## What to do
See which package owns each file (`dpkg -S` or `rpm -qf`), decide on one series, remove the packages of
the other, reinstall the chosen one completely, and run `ldconfig`. Do not mix packages and the .run
installer: uninstall the latter with `nvidia-uninstall` first. A reboot alone does not help.

## How safe the fix is
Reinstalling driver packages needs a reboot or a reload of the modules, and so ends GPU jobs. Read the
list of packages that will be removed before you agree.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.driver.library_versions import (
    SONAMES,
    injected,
    library_versions,
    mismatch_symptoms,
    package_versions,
)
from codeblue.model.facts import Container, Cuda, Driver, DriverFiles, Loader, Nvml, Packages
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

ONE_SERIES = Remedy(
    message("reinstall all driver packages from one series", "把所有驱动软件包重装为同一个系列"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "find each library's owner (dpkg -S, rpm -qf), remove the odd series, reinstall the other",
                "查出每个库属于哪个软件包（dpkg -S、rpm -qf），删除多余的系列，重装另一个",
            ),
        ),
        Step(Verb.LDCONFIG, message("refresh the loader's cache", "刷新加载器缓存")),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "driver-packages-mixed-versions",
    title=Text("Driver libraries of different versions are installed together", "同时装有不同版本的驱动库"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "driver-upgraded-without-reboot",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
    ),
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
                "(?:ersion mismatch|does(?:n't| not) match|version.{0,20}(?:differ|mismatch)"
                "|版本不(?:一致|匹配))|API mismatch|undefined symbol|symbol lookup"
                "|Failed to initialize NVML|NVIDIA-SMI has failed",
                r"(?:apt|apt-get|dnf|yum|zypper|pacman)\b.{0,12}\b(?:install|-S)\b.{0,60}(?:nvtop"
                "|nvidia-utils|nvidia-smi|libnvidia|nvidia-cuda-toolkit|nvidia-settings|cuda-drivers"
                r"|nvidia-compute|dcgm|libcuda|gpustat|nvidia-opencl|ffmpeg|bumblebee|cuda\b)"
                r"|(?:runfile|\.run\b).{0,60}(?:apt|package|deb|rpm|dnf)|(?:apt|packages?|deb|rpm"
                r"|dnf)\b.{0,60}(?:runfile|\.run\b)|(?:two|both|several|different|mixed"
                r"|multiple)\b.{0,30}(?:driver )?(?:versions|series|branches|drivers|repos\w*"
                "|sets of).{0,40}|(?:leftover|left over|remains|leftovers|old) (?:libnvidia|packages?"
                "|librar)|(?:两个|多个|混装|混用|同时装|残留).{0,10}(?:驱动|版本)|驱动.{0,8}(?:混"
                "|残留)|pulled in .{0,30}(?:libnvidia|nvidia)|dragged in|(?:added|enabled|mixed"
                r"|second|another|both).{0,30}\brepo\w*|第三方源",
            ),
            none=("inside (?:the|my) container|in the image|docker commit|NCCL|cuDNN|fabric",),
        ),
        Clue(
            all=(
                r"libnvidia-(?:compute|gl|cfg1|decode|encode|extra|common)-?(?P<a>\d{3})?"
                r"|nvidia-utils-(?P<b>\d{3})",
                r"reboot\w*.{0,30}(?:no|not|n't|same|still|useless)|(?:still|same|not).{0,25}(?:after"
                "|even after).{0,12}reboot|重启(?:也|后|了).{0,6}(?:没用|不行|一样|还是|仍)",
                "ersion mismatch|版本不(?:一致|匹配)|Failed to initialize NVML",
            ),
        ),
        Clue(
            all=(
                "ersion mismatch|版本不(?:一致|匹配)",
                r"(?:reboot\w*.{0,30}(?:no effect|not help|n't help|same|still|useless)|(?:still|same"
                "|not|n't).{0,25}(?:after|even after).{0,14}reboot|重启(?:也|后|了|过).{0,6}(?:没用"
                "|不行|一样|还是|仍))",
            ),
            none=("container|docker|symlink|ldconfig|ln -s|-> lib|NCCL|fabric|cuDNN",),
        ),
    ),
    remedy=ONE_SERIES,
    next_command="ldconfig -p | grep -E 'libcuda|libnvidia-ml'; dpkg -l | grep -i nvidia",
)
def driver_packages_mixed_versions(
    driver: Driver | Unread = UNREAD,
    loader: Loader | Unread = UNREAD,
    files: DriverFiles | Unread = UNREAD,
    container: Container | Unread | None = UNREAD,
    nvml: Nvml | None = None,
    cuda: Cuda | None = None,
    *,
    packages: Packages | Unread | None = UNREAD,
) -> Iterator[Hit]:
    symptoms = mismatch_symptoms(nvml, cuda)
    if isinstance(packages, Packages) and isinstance(loader, UnsetType):
        yield from _by_packages(packages, symptoms)
    if not (isinstance(driver, Driver) and isinstance(loader, Loader) and isinstance(files, DriverFiles)):
        return
    if isinstance(container, UnsetType):
        return
    versions = library_versions(loader)
    if not symptoms or len(set(versions.values())) < len(SONAMES):
        return
    if container is not None and _brought_by_image(loader, container):
        return
    if _right_files_exist(versions, files, driver.module_version):
        return
    libcuda, nvidia_ml = (versions[name] for name in SONAMES)
    yield Hit(
        subject="driver",
        summary=message(
            "libcuda is {libcuda}, libnvidia-ml is {nvidia_ml}, the loaded module is {module}",
            "libcuda 是 {libcuda}，libnvidia-ml 是 {nvidia_ml}，已加载的模块是 {module}",
            libcuda=libcuda,
            nvidia_ml=nvidia_ml,
            module=driver.module_version,
        ),
        because=cite(
            *(f"loader.libraries[{name}].version" for name in SONAMES), "driver.module_version", *symptoms
        ),
    )


def _by_packages(packages: Packages, symptoms: list[str]) -> Iterator[Hit]:
    """Judge a list of packages, where the driver itself says that versions differ."""
    versions = package_versions(packages)
    if not symptoms or len(set(versions.values())) < 2:
        return
    odd = sorted({version: name for name, version in versions.items()}.items())
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY,
        summary=message(
            "driver packages of different releases are installed: {names}",
            "装有不同版本的驱动软件包：{names}",
            names=", ".join(f"{name} {version}" for version, name in odd[:3]),
        ),
        because=cite(*(f"packages[{name}].version" for _, name in odd[:3]), *symptoms),
    )


def _brought_by_image(loader: Loader, container: Container) -> bool:
    """Return whether the runtime brings driver files but one of the libraries is the image's own."""
    return bool(container.injected) and not all(injected(loader, name, container) for name in SONAMES)


def _right_files_exist(versions: dict[str, str], files: DriverFiles, module: str) -> bool:
    """Return whether the fitting file of every odd library is installed: then only a link is stale."""
    fitting = {file.soname for file in files.libraries.values() if file.version == module}
    return all(version == module or soname in fitting for soname, version in versions.items())
