"""package-install, package-hold, package-unhold: through the package manager of the distribution."""

import json
import re
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import Message, Text, message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import Failed, change
from codeblue.remedy.verbs.by_program import ByProgram, changing, foreign, unchanged, wanted
from codeblue.remedy.verbs.package_managers import Changes, manager

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._:-]*")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._:~-]*")
FAMILIES = (
    re.compile(r"(?:lib|xserver-xorg-video-|kmod-|xorg-x11-drv-)?nvidia-(?!container|modprobe)|cuda-drivers"),
    re.compile(r"linux-(?:image|modules|headers)-|kernel(?:-|$)"),
)
"""Packages that change the driver under running jobs, and those that change the kernel of the next boot."""

NO_WAY_BACK = Text(
    "{change} (no way back: the old version is in no repository)",
    "{change}（无法恢复：软件源中没有旧版本）",
)


class PackageInstall(ByProgram):
    """Takes ``package`` and ``version``; without one, any installed version will do."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Simulate. Raises Refused where others would be removed, or a driver changed that nobody named."""
        package, version = _named(args)
        if self.verify(args):
            return Look(needed=False)
        tool = manager()
        tool.refuse_half_done()
        if tool.held(package):
            raise _refused(package, "is held at its version", "已被锁定（hold）在当前版本")
        changes = tool.simulate(package, version)
        _refuse_surprises(package, changes)
        gone = [name for name, (old, _) in changes.versions.items() if old and not tool.available(name, old)]
        shows, tells = changing(changes.versions, gone, NO_WAY_BACK)
        before = {"changes": json.dumps(changes.versions), "manager": tool.name}
        return Look(needed=True, shows=shows, tells=tells, before=before)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Install, if the simulation still says what the preview said."""
        unchanged(before, self.look(args).before, args["package"])
        change(manager().install(*_named(args)), seconds=1800)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the package is installed, at the version if one is wanted."""
        package, version = _named(args)
        now = manager().installed(package)
        return bool(now) and (not version or _fits(now, version))

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Install the former versions and remove what was new, in one go."""
        tool = manager()
        changes = json.loads(before["changes"])
        for package, (old, new) in changes.items():
            if tool.installed(package) != new:
                raise foreign(package)
            if old and not tool.available(package, old):
                raise _refused(
                    package,
                    "{old} is in no repository any more; nothing is taken back",
                    "{old} 已不在任何软件源中；不做撤销",
                    old=old,
                )
        for argv in tool.revert(changes):
            change(argv, seconds=1800)
        for package, (old, new) in changes.items():
            now = tool.installed(package)
            if now == new or (old and now != old):
                raise Failed(_line(package, "is not at its former version", "没有回到原来的版本"))

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the commands that finish what was interrupted, and install what is missing."""
        tool = manager()
        return [*tool.finish(), tool.install(*_named(args))]


class _Hold(ByProgram):
    """Takes ``package``."""

    on = True
    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Read whether it is held. Raises Refused if it is not installed."""
        package, _ = _named(args)
        tool = manager()
        version = tool.installed(package)
        if not version:
            raise _refused(package, "is not installed", "没有安装")
        held = tool.held(package)
        needed = held is not self.on
        sign = "+" if self.on else "-"
        shows = (f"{package} {version}: {sign}hold",) if needed else ()
        return Look(needed=needed, shows=shows, before={"held": str(held), "manager": tool.name})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Hold it, or let it go."""
        unchanged(before, self.look(args).before, args["package"])
        change(manager().hold(_named(args)[0], self.on), seconds=60)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether it is held, or not, as wanted."""
        return manager().held(_named(args)[0]) is self.on

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Do the inverse, if our change is still there."""
        if self.verify(args):
            change(manager().hold(_named(args)[0], not self.on), seconds=60)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        return [manager().hold(_named(args)[0], self.on)]


class PackageHold(_Hold):
    """Keep a package at its version."""


class PackageUnhold(_Hold):
    """Let a package change again."""

    on = False


def _refuse_surprises(package: str, changes: Changes) -> None:
    if changes.removed:
        raise _refused(
            package,
            "can only be installed if these are removed: {others}",
            "只有移除以下软件包才能安装：{others}",
            others=", ".join(changes.removed),
        )
    # A driver package brings its own family along; any other package must leave it alone.
    others = [family for family in FAMILIES if not family.match(package)]
    changed = [name for name, (old, _) in changes.versions.items() if old]
    moved = [name for name in changed if any(family.match(name) for family in others)]
    if moved:
        raise _refused(
            package,
            "would also change the driver or kernel: {others}",
            "还会改动驱动或内核：{others}",
            others=", ".join(moved),
        )


def _fits(now: str, version: str) -> bool:
    """Return whether an installed version is the wanted one, which may lack the epoch and the release."""
    return now == version or f"{now.partition(':')[2] or now}-".startswith(f"{version}-")


def _named(args: Args) -> tuple[str, str]:
    package, version = wanted(args, "package"), args.get("version", "")
    if not NAME.fullmatch(package) or (version and not VERSION.fullmatch(version)):
        raise _refused(f"{package} {version}".strip(), "is no package", "不是软件包")
    return package, version


def _refused(package: str, en: str, zh: str, **values: str) -> Refused:
    return Refused(_line(package, en, zh, **values))


def _line(package: str, en: str, zh: str, **values: str) -> Message:
    return message(f"package {{package}} {en}", f"软件包 {{package}} {zh}", package=package, **values)
