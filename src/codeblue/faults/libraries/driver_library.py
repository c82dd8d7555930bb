"""What rules about the driver's own libraries share: why one cannot be found, and how to bring it back."""

from collections.abc import Iterator
from typing import NamedTuple

from codeblue.faults.libraries.search_path import folder, under
from codeblue.model.facts import Cuda, Driver, Host, Library, Nvml, Pci
from codeblue.model.fault import Certainty
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import Unread
from codeblue.model.text import Message, message

DAMAGED = ("empty", "truncated", "not-elf")
WSL = "/usr/lib/wsl/"
CONTAINED_DRIVER = "/run/nvidia/"
"""Where gpu-operator keeps a driver that the host itself is not meant to use."""


def real_copies(paths: list[str]) -> list[str]:
    """Return the copies that belong to a driver of this system, not to a toolkit or a compat package."""
    return [
        path
        for path in paths
        if not under(path, "stubs") and not under(path, "compat") and not path.startswith(CONTAINED_DRIVER)
    ]


class Failing(NamedTuple):
    """A driver library that does not work, or that nobody called: what the loader finds must tell then."""

    soname: str
    certainty: Certainty
    symptom: tuple[str, ...]
    """The fact that says so."""


def failing(cuda: Cuda | Unread | None, nvml: Nvml | Unread | None) -> Iterator[Failing]:
    """Yield the driver libraries that are not known to work."""
    for soname, name, called in (("libcuda.so.1", "cuda", cuda), ("libnvidia-ml.so.1", "nvml", nvml)):
        if isinstance(called, Unread):
            yield Failing(soname, Certainty.LIKELY, ())
        elif called is None:
            yield Failing(soname, Certainty.CERTAIN, (f"{name}.state",))
        elif called.init != 0:
            yield Failing(soname, Certainty.CERTAIN, (f"{name}.init",))


def driver_runs(pci: Pci, driver: Driver | None, host: Host, copies: list[str]) -> bool:
    """True if a driver is at work here, so that its libraries ought to be found."""
    if host.wsl:
        return any(path.startswith(WSL) for path in copies)
    return driver is not None and bool(pci.nvidia_gpus)


def missing(row: Library, copies: list[str], wanted: bool) -> str | None:
    """Return the variant of the fault, or None if the file is there or nobody needs it."""
    if row.path is not None:
        return "file-damaged" if row.elf in DAMAGED else None
    if not wanted:
        return None
    return "not-on-path" if real_copies(copies) else "not-installed"


def summary(variant: str, soname: str, row: Library, copies: list[str]) -> Message:
    """Say in one line what is wrong with the library."""
    if variant == "file-damaged":
        return message(
            "{path}, the driver's own library, is damaged ({elf}, {size} bytes)",
            "驱动自带的库 {path} 已损坏（{elf}，{size} 字节）",
            path=row.real or row.path,
            elf=row.elf,
            size=row.size if row.size is not None else "?",
        )
    if variant == "not-on-path":
        return message(
            "the loader does not find {soname}, although {copy} exists",
            "加载器找不到 {soname}，但 {copy} 是存在的",
            soname=soname,
            copy=real_copies(copies)[0],
        )
    return message("no {soname} is installed", "没有安装 {soname}", soname=soname)


def bring_back(variant: str, copies: list[str], driver: Driver | None) -> Remedy:
    """Make the library findable, or install the driver's user-space files again."""
    if variant == "not-on-path":
        return _put_on_path(folder(real_copies(copies)[0]))
    version = driver.module_version if driver is not None else "?"
    reinstall = message(
        "install the driver's user-space packages again, in the version of the loaded module, {version}",
        "重新安装驱动的用户态软件包，版本必须与已加载的内核模块一致：{version}",
        version=version,
    )
    return Remedy(
        message("reinstall the driver's user-space libraries", "重新安装驱动的用户态库"),
        (Step(Verb.INSTRUCT, reinstall),),
        Automation.HUMAN,
        Undo.NONE,
    )


def _put_on_path(place: str) -> Remedy:
    name = message(
        "write {folder} into a file under /etc/ld.so.conf.d if no file there names it",
        "如果 /etc/ld.so.conf.d 下没有文件写着 {folder}，就加上一行",
        folder=place,
    )
    rebuild = message("rebuild the links and the cache of the loader", "重建库链接和加载器缓存")
    return Remedy(
        message("put {folder} on the loader's path", "把 {folder} 加入加载器的搜索路径", folder=place),
        (Step(Verb.INSTRUCT, name), Step(Verb.LDCONFIG, rebuild)),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
