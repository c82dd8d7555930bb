"""nodes-create: the device nodes of the NVIDIA driver that are missing, or that carry other numbers."""

import os
import re
import stat
from collections.abc import Iterator, Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import change
from codeblue.remedy.run import found as program
from codeblue.remedy.verbs.by_program import ByProgram, unchanged

DRIVER = "/proc/driver/nvidia"
MAJORS = "/proc/devices"
FRONTENDS = ("nvidia", "nvidia-frontend")
CONTROL = 255
"""Minor number of /dev/nvidiactl; nvidia-modprobe -c takes it like that of a GPU."""
MINOR = re.compile(r"^Device Minor:\s*(\d+)", re.M)
MODE = re.compile(r"^DeviceFileMode:\s*(\d+)", re.M)
ANYBODY = 0o666
PACKAGE = "nvidia-modprobe"
UNKNOWN = -1
"""Major number of a module that is not loaded; the kernel gives nvidia-uvm another one each time."""

Numbers = tuple[int, int]


class NodesCreate(ByProgram):
    """Takes nothing."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Compare the nodes with the GPUs and major numbers of the running driver."""
        found = {path: _found(path, numbers) for path, numbers in _wanted().items()}
        wrong = {path: was for path, was in found.items() if was != "there"}
        shows = tuple(f"{path}: {was} -> c {_named(_wanted()[path])}" for path, was in wrong.items())
        return Look(needed=bool(wrong), shows=shows, before=wrong)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Let nvidia-modprobe make them: it knows owner and mode from the driver. Images often lack it."""
        now = self.look(args).before
        if not now.items() <= before.items():  # fewer are missing where udev was quicker
            unchanged(before, now, "/dev/nvidia*")
        if program("nvidia-modprobe") is None:
            _make(now)
            return now
        minors = [minor for path, (_, minor) in _wanted().items() if path in now and "uvm" not in path]
        uvm = ["-u"] if any("uvm" in path for path in now) else []
        if now:
            change(["nvidia-modprobe", *uvm, *(f"-c={minor}" for minor in minors)], PACKAGE, seconds=60)
        return now

    def verify(self, args: Args) -> bool:
        """Return whether every node is there with the right numbers."""
        return not self.look(args).needed

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Remove the nodes that were missing."""
        for path, numbers in _wanted().items():
            if before.get(path) == "-" and _found(path, numbers) == "there":
                os.unlink(path)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return mknod for each node that is missing now."""
        mode = f"{_mode():o}"
        return [
            ("mknod", "-m", mode, path, "c", *map(str, numbers))
            for path, numbers in _wanted().items()
            if _found(path, numbers) == "-" and numbers[0] != UNKNOWN
        ]


def _make(missing: Before) -> None:
    """Make the nodes with mknod. Raises Refused where something else is in the place of one."""
    for path, was in missing.items():
        major, minor = _wanted()[path]
        if was != "-" or major == UNKNOWN:
            raise Refused(
                message(
                    "{path} can only be made by nvidia-modprobe, which is not installed here",
                    "{path} 只能由 nvidia-modprobe 创建，而此处没有安装它",
                    path=path,
                )
            )
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(major, minor))
        os.chmod(path, _mode())


def _wanted() -> dict[str, Numbers]:
    """Return path and numbers of each node. Raises Refused where the driver is not loaded."""
    majors = _majors()
    front = next((majors[name] for name in FRONTENDS if name in majors), None)
    if front is None or not os.path.isdir(DRIVER):
        raise Refused(
            message(
                "the nvidia module is not loaded: there is nothing to make nodes for",
                "nvidia 模块没有加载：没有需要创建的设备节点",
            )
        )
    nodes = {"/dev/nvidiactl": (front, CONTROL)}
    nodes |= {f"/dev/nvidia{minor}": (front, minor) for minor in sorted(_minors())}
    uvm = majors.get("nvidia-uvm", UNKNOWN)
    return nodes | {"/dev/nvidia-uvm": (uvm, 0), "/dev/nvidia-uvm-tools": (uvm, 1)}


def _majors() -> dict[str, int]:
    with open(MAJORS, encoding="ascii", errors="replace") as stream:
        characters = stream.read().partition("Block devices:")[0]
    rows = (row.split() for row in characters.splitlines())
    return {row[1]: int(row[0]) for row in rows if len(row) == 2 and row[0].isdigit()}


def _minors() -> Iterator[int]:
    for folder in os.listdir(f"{DRIVER}/gpus"):
        with open(f"{DRIVER}/gpus/{folder}/information", encoding="utf-8", errors="replace") as stream:
            found = MINOR.search(stream.read(1 << 16))
        if found:
            yield int(found.group(1))


def _mode() -> int:
    try:
        with open(f"{DRIVER}/params", encoding="ascii", errors="replace") as stream:
            found = MODE.search(stream.read(1 << 16))
    except OSError:
        found = None
    return int(found.group(1)) if found else ANYBODY


def _named(numbers: Numbers) -> str:
    return f"{'?' if numbers[0] == UNKNOWN else numbers[0]}:{numbers[1]}"


def _found(path: str, numbers: Numbers) -> str:
    """Return ``there``, ``-`` or what is in its place. Raises Refused for what is no device."""
    try:
        told = os.lstat(path)
    except FileNotFoundError:
        return "-"
    if not stat.S_ISCHR(told.st_mode):
        raise Refused(
            message(
                "{path} is no device; move it away first",
                "{path} 不是设备节点；请先将它移走",
                path=path,
            )
        )
    now = (os.major(told.st_rdev), os.minor(told.st_rdev))
    return "there" if now == numbers or numbers[0] == UNKNOWN else f"c {_named(now)}"
