"""
## What it means
The library of the right driver version is on disk, but the link that programs open, `libcuda.so.1` or
`libnvidia-ml.so.1`, still leads to an older release or to a file that no longer exists. The library
and the kernel module then differ: NVML says "Driver/library version mismatch" or "Function Not
Found", CUDA reports 803 or does not load. A reboot does not help.

## Why it happens
`ldconfig` did not run, or not to the end, after a driver update: the update was interrupted, a `.run`
installer and packages of the distribution were mixed, files were copied by hand, or a provisioning
tool restored old links. A leftover copy in a folder that is searched earlier has the same effect.

## When it is not a fault
If the library is *newer* than the loaded module, the update is fine and the machine waits for a
reboot. A dangling link in a folder that nothing resolves to, such as one for 32-bit programs, hurts
nobody; it counts only while the library fails.

## What to do
Run `ldconfig` as root: it sets such links to the newest version that it finds in each folder. Then
compare `ls -l` of the link with the first line of `/proc/driver/nvidia/version`. If an older copy
comes back, find the package that owns it with `dpkg -S` or `rpm -qf` and remove that package.

## How safe the fix is
`ldconfig` changes links and its cache only. Running jobs keep the files that they have open. The old
links are worth noting down first, for taking them back.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.driver_library import failing
from codeblue.knowledge.versions import older
from codeblue.model.facts import Cuda, Driver, DriverFiles, Library, Loader, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

REBUILD = Remedy(
    message(
        "let ldconfig set the links to the library that is installed", "让 ldconfig 把链接指向已安装的库"
    ),
    (
        Step(
            Verb.LDCONFIG,
            message(
                "it links each name to the newest file in its folder", "它会让每个名字指向该目录里最新的文件"
            ),
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


@fault(
    "stale-driver-library-symlink",
    title=Text("A driver library link leads to an old version", "驱动库的链接指向旧版本"),
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
        Reference("ldconfig(8)", "https://man7.org/linux/man-pages/man8/ldconfig.8.html", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                r"lib(?:nvidia-ml|cuda|nvidia-\w+)\.so(?:\.1)? *(?:\([^)]*\) *)?[-=]> *\S*\.so\.\d{3}|"
                r"lib(?:nvidia-ml|cuda)\S* (?:still )?points? (?:to|at)|lib(?:nvidia-ml|"
                r"cuda)\S*.{0,6}指向|(?:symlink|soft ?link|\blinks?\b).{0,60}(?:old|previous|earlier|"
                r"stale|still point)|(?:old|previous|stale|dangling) (?:symlink|link|librar)|"
                r"软链.{0,12}旧|指向旧|残留.{0,10}(?:库|链接)|ldconfig -p",
                r"mismatch|Function Not Found|cuInit|NVML|CUDA error|失败|报错",
                r"still|old|previous|reboot|remain|left ?over|upgrade|update|instead of|旧的|旧版|"
                r"升级|重启|仍然",
            ),
            none=(
                r"in the image|inside (?:the )?(?:image|container)|镜像|docker build",
                r"compat",
                r"stubs",
                r"\bWSL|/wsl/",
            ),
        ),
    ),
    remedy=REBUILD,
)
def stale_driver_library_symlink(
    files: DriverFiles,
    driver: Driver,
    loader: Loader,
    cuda: Cuda | Unread | None = UNREAD,
    nvml: Nvml | Unread | None = UNREAD,
) -> Iterator[Hit]:
    for soname, certainty, symptom in failing(cuda, nvml):
        right = right_file(soname, files, driver)
        row = loader.libraries.get(soname)
        if right is None or row is None:
            continue
        found = dangling(soname, row, files) or outdated(row, driver)
        if found is None:
            continue
        link, leads_to = found
        yield Hit(
            subject=f"library:{soname}",
            certainty=certainty if row.path is not None else Certainty.CERTAIN,
            summary=message(
                "{link} leads to {old}, but the loaded driver is {version} and its file is {right}",
                "{link} 指向 {old}，而已加载的驱动是 {version}，对应的文件是 {right}",
                link=link,
                old=leads_to,
                version=driver.module_version,
                right=right,
            ),
            because=cite(
                "driver.module_version", f"loader[{soname}].real", "driver_files.stale_links", *symptom
            ),
        )


def right_file(soname: str, files: DriverFiles, driver: Driver) -> str | None:
    """Return the installed file that fits the loaded module, if there is one."""
    fitting = (
        path
        for path, file in files.libraries.items()
        if file.soname == soname and file.version == driver.module_version and file.size > 0
    )
    return next(fitting, None)


def dangling(soname: str, row: Library, files: DriverFiles) -> tuple[str, str] | None:
    """Return a link to nowhere and its target, if the loader finds no other copy."""
    if row.path is not None:
        return None
    links = (link for link in files.stale_links.items() if link[0].rpartition("/")[2] == soname)
    return next(links, None)


def outdated(row: Library, driver: Driver) -> tuple[str, str] | None:
    """Return the link and the file behind it, if that file is older than the loaded module."""
    if row.path is None or row.version is None:
        return None
    if older(row.version, driver.module_version):
        return row.path, row.real or row.version
    return None
