"""cache-clean: one of the known caches of compiled kernels and downloads, which is filled again by itself."""

import os
import pwd
import shutil
import stat
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.verbs.by_program import ByProgram, wanted

BELOW_HOME = (
    ".nv/ComputeCache",
    ".triton/cache",
    ".cache/torch_extensions",
    ".cache/torch/kernels",
    ".cache/pip",
)
INDUCTOR = "/tmp/torchinductor_"  # noqa: S108 - where torch puts it, followed by the user's name
MOST_FILES = 1_000_000
"""Files that are counted; a larger cache is told as at least that."""


class CacheClean(ByProgram):
    """Takes ``path``. The cache is moved aside in one moment and then deleted; nothing brings it back."""

    undo = Undo.NONE
    risk = Risk.IDLE

    def root(self, args: Args) -> bool:
        """Return False: only the own caches are cleaned."""
        return False

    def look(self, args: Args) -> Look:
        """Count what would go. Raises Refused for everything that is no known cache of this user."""
        path = _known(args)
        if not os.path.lexists(path):
            return Look(needed=False)
        inode = _own_folder(path)
        files, size = _counted(path)
        tells = message(
            "- {path} ({files} files, {size} bytes)",
            "- {path}（{files} 个文件，{size} 字节）",
            path=path,
            files=files,
            size=size,
        )
        return Look(needed=True, tells=(tells,), before={"inode": inode})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Move the folder aside, so that programs make a new one at once, and delete it."""
        path = _known(args)
        if not os.path.lexists(path) or _own_folder(path) != before["inode"]:
            raise Refused(
                message(
                    "{path} is another folder than in the preview", "{path} 已不是预览时的目录", path=path
                )
            )
        os.rename(path, _aside(path, name))
        self.sweep(args, name)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the cache is gone."""
        return not os.path.lexists(_known(args))

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Move back what is left of it. Raises Refused once it is deleted, or if a new one was begun."""
        path = _known(args)
        aside = _aside(path, name)
        if not os.path.lexists(aside):
            raise Refused(message("the old {path} is deleted already", "旧的 {path} 已经删除", path=path))
        try:
            os.rename(aside, path)  # takes the place of an empty folder only
        except OSError:
            raise Refused(
                message(
                    "{path} was filled anew; the old one lies at {aside}",
                    "{path} 已重新生成；旧内容在 {aside}",
                    path=path,
                    aside=aside,
                )
            ) from None

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command that deletes the cache."""
        return [("rm", "-rf", "--", _known(args))]

    def sweep(self, args: Args, name: str) -> None:
        """Delete what was moved aside."""
        aside = _aside(_known(args), name)
        if os.path.lexists(aside):
            _own_folder(aside)
            shutil.rmtree(aside)


def _aside(path: str, name: str) -> str:
    return f"{path}.{name}"


def _known(args: Args) -> str:
    """Return the path of a cache. Raises Refused for any other path, also if links lead to another."""
    path = wanted(args, "path")
    home, whole = os.path.expanduser("~"), os.path.expanduser(path)
    known = [os.path.join(home, one) for one in BELOW_HOME] + [INDUCTOR + _login()]
    # The home itself may be a link; below it there must be none.
    real = os.path.realpath(home)
    expected = whole.replace(home, real, 1) if whole.startswith(f"{home}/") else whole
    if whole not in known or os.path.realpath(whole) != expected:
        raise Refused(
            message(
                "{path} is none of the known caches of this user",
                "{path} 不是当前用户的已知缓存目录",
                path=path,
            )
        )
    return whole


def _login() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # a number without a name, as in many containers
        return str(os.geteuid())


def _own_folder(path: str) -> str:
    """Return device and inode of an own folder. Raises Refused if it is none."""
    told = os.lstat(path)
    if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.geteuid() or os.path.ismount(path):
        raise Refused(
            message("{path} is not a folder of this user", "{path} 不是当前用户自己的目录", path=path)
        )
    return f"{told.st_dev}:{told.st_ino}"


def _counted(path: str) -> tuple[str, int]:
    """Return the number of files and their size in bytes; links are not followed."""
    count = size = 0
    for folder, _, names in os.walk(path):
        for name in names:
            count += 1
            size += os.lstat(os.path.join(folder, name)).st_size
            if count == MOST_FILES:
                return f">= {count}", size
    return str(count), size
