"""pip-install, pip-reinstall, pip-uninstall: distributions of one Python environment, by pip or uv."""

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence

from packaging.requirements import InvalidRequirement, Requirement

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import Text, message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import Failed
from codeblue.remedy.verbs import interpreters
from codeblue.remedy.verbs.by_program import ByProgram, changing, foreign, unchanged, wanted
from codeblue.remedy.verbs.interpreters import Interpreter, interpreter, normal

MOST_ASKED = 20
"""Distributions whose former version is looked up in the index."""

NO_WAY_BACK = Text(
    "{change} (no way back: the index does not have the old version)",
    "{change}（无法恢复：索引中没有旧版本）",
)

Changed = dict[str, tuple[str, str]]
"""Old and new version by name; empty where it is not installed."""


class _Pip(ByProgram, ABC):
    """What the three have in common. ``before`` has the lock's hash and the versions that change."""

    job = "install"
    undo = Undo.COMPENSATING
    risk = Risk.DISRUPTIVE
    """A program that imports while files are exchanged fails."""

    @abstractmethod
    def words(self, args: Args) -> list[str]:
        """Return what follows ``pip install`` or ``pip uninstall``. Raises Refused."""

    @abstractmethod
    def changes(self, facts: Interpreter, args: Args) -> Changed:
        """Return what would change. Raises Refused."""

    @abstractmethod
    def verify(self, args: Args) -> bool:
        """Return whether the distribution is as wanted."""

    def root(self, args: Args) -> bool:
        """Return whether this user may not write into the environment."""
        return not os.access(interpreter(args).packages, os.W_OK)

    def look(self, args: Args) -> Look:
        """Ask pip what it would do. Raises Refused for what conda has installed."""
        facts = interpreter(args)
        changes = self.changes(facts, args)
        for name in changes:
            _refuse_foreign(facts, name)
        lock = interpreters.frozen(facts)
        shows, tells = changing(changes, _gone(facts, args, changes, _lines(lock)), NO_WAY_BACK)
        before = {"changes": json.dumps(changes), "freeze": _hash(lock)}
        return Look(needed=bool(changes), shows=shows, tells=tells, before=before)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Keep the lock of the environment, and let pip do it."""
        facts = interpreter(args)
        lock = interpreters.frozen(facts)
        unchanged({"freeze": before["freeze"]}, {"freeze": _hash(lock)}, facts.prefix)
        keep.put(lock.encode())
        interpreters.run(facts, self.job, self.words(args))
        return before

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Install exactly the former versions, without their dependencies, and remove what was new."""
        facts = interpreter(args)
        changes: Changed = json.loads(before["changes"])
        for one, (_, new) in changes.items():
            if facts.version(one) != new:
                raise foreign(one)
        lock = _lines(keep.get(before["freeze"]).decode())
        former = [_former(lock, one, old) for one, (old, new) in changes.items() if old not in ("", new)]
        if former:
            _reinstall(facts, args, former)
        if added := [one for one, (old, _) in changes.items() if not old]:
            interpreters.run(facts, "uninstall", added)
        facts = interpreter(args)
        for one, (old, _) in changes.items():
            if facts.version(one) != old:
                raise Failed(
                    message(
                        "{name} is now at {now}, and was at {old}",
                        "{name} 现在是 {now}，原来是 {old}",
                        name=one,
                        now=facts.version(one) or "-",
                        old=old or "-",
                    )
                )

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        facts = interpreter(args)
        if facts.conda and not facts.pip:
            job = "remove" if self.job == "uninstall" else "install"
            return [("conda", job, "-p", facts.prefix, self.words(args)[-1])]
        return [interpreters.command(facts, self.job, self.words(args))]


class PipInstall(_Pip):
    """Takes ``python``, ``requirement`` and ``index``."""

    def words(self, args: Args) -> list[str]:
        """Return index and requirement."""
        return [*_index(args), str(_requirement(args))]

    def changes(self, facts: Interpreter, args: Args) -> Changed:
        """Return what pip would install for the requirement, its dependencies included."""
        new = interpreters.would_install(facts, self.words(args))
        return {name: (facts.version(name), version) for name, version in new.items()}

    def verify(self, args: Args) -> bool:
        """Return whether the installed version satisfies the requirement, with all its files there."""
        requirement = _requirement(args)
        found = interpreter(args).installed.get(normal(requirement.name))
        return found is not None and (
            not found.missing and requirement.specifier.contains(found.version, prereleases=True)
        )


class PipReinstall(PipInstall):
    """Takes ``python``, ``requirement`` and ``index``: the files anew, also at the same version."""

    def words(self, args: Args) -> list[str]:
        """Return index and requirement, and that nothing but it is to be changed."""
        return ["--force-reinstall", "--no-deps", *super().words(args)]


class PipUninstall(_Pip):
    """Takes ``python`` and ``distribution``."""

    job = "uninstall"

    def words(self, args: Args) -> list[str]:
        """Return the name."""
        return [_plain(wanted(args, "distribution")).name]

    def changes(self, facts: Interpreter, args: Args) -> Changed:
        """Return the one that goes, if it is installed."""
        name = normal(self.words(args)[0])
        return {name: (facts.version(name), "")} if name in facts.installed else {}

    def verify(self, args: Args) -> bool:
        """Return whether it is gone."""
        return normal(self.words(args)[0]) not in interpreter(args).installed


def _refuse_foreign(facts: Interpreter, name: str) -> None:
    """Raise Refused for what conda has installed, and for the sources that somebody works on."""
    found = facts.installed.get(name)
    if found is None or (found.installer != "conda" and not found.editable):
        return
    lines = (
        (
            "{name} was installed by conda: conda install -p {prefix} {name}",
            "{name} 是由 conda 安装的：conda install -p {prefix} {name}",
        ),
        (
            "{name} is installed as editable sources; whoever works on them must decide",
            "{name} 是以可编辑方式安装的源码；应由其开发者决定",
        ),
    )[found.editable]
    raise Refused(message(*lines, name=name, prefix=facts.prefix))


def _requirement(args: Args) -> Requirement:
    return _plain(wanted(args, "requirement"))


def _plain(text: str) -> Requirement:
    try:
        return Requirement(text)
    except InvalidRequirement:
        raise Refused(
            message("{text} names no distribution", "{text} 不是发行包的名称或要求", text=repr(text))
        ) from None


def _index(args: Args) -> list[str]:
    return ["--index-url", wanted(args, "index")] if "index" in args else []


def _hash(lock: str) -> str:
    return hashlib.sha256(lock.encode()).hexdigest()


def _lines(lock: str) -> dict[str, str]:
    """Return the lines of a lock that say more than a version: a place, a repository."""
    rows = (row for row in lock.splitlines() if " @ " in row and not row.startswith("#"))
    return {normal(row.partition(" @ ")[0]): row for row in rows}


def _former(lock: dict[str, str], name: str, version: str) -> str:
    # Three signs: with two, 2.1.0 would also be satisfied by 2.1.0+cpu.
    return lock.get(name, f"{name}==={version}")


def _reinstall(facts: Interpreter, args: Args, former: list[str]) -> None:
    """Install former versions from the usual index, then from the one that the step named. Raises Failed."""
    try:
        interpreters.run(facts, "install", ["--no-deps", *former])
    except Failed:
        if "index" not in args:
            raise
        interpreters.run(facts, "install", ["--no-deps", *_index(args), *former])


def _gone(facts: Interpreter, args: Args, changes: Changed, lock: dict[str, str]) -> set[str]:
    """Return the distributions whose former version is nowhere to be had."""
    asked = [name for name, (old, new) in changes.items() if old not in ("", new) and name not in lock]
    return {
        name
        for name in asked[:MOST_ASKED]
        if not any(
            interpreters.on_offer(facts, name, changes[name][0], where)
            for where in ([], *([_index(args)] if "index" in args else []))
        )
    }
