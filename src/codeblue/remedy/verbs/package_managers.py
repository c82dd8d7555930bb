"""The package managers of distributions, as far as a remedy needs them: state, simulation, commands."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from codeblue.model.plan import Refused
from codeblue.model.text import message
from codeblue.remedy.run import ask, found, told

Argv = tuple[str, ...]


class Changes(Struct, frozen=True):
    """What a transaction would do."""

    versions: dict[str, tuple[str, str]]
    """Old and new version of each package that is installed or changed; the old one is empty if it is new,
    or installed beside others of its name, as kernels are by rpm.
    """
    removed: tuple[str, ...] = ()


class Manager(Protocol):
    """One package manager."""

    name: str

    def installed(self, package: str) -> str:
        """Return the installed version, empty if there is none."""

    def held(self, package: str) -> bool:
        """Return whether the package is kept from changing."""

    def refuse_half_done(self) -> None:
        """Raise Refused while an earlier transaction is not finished."""

    def simulate(self, package: str, version: str) -> Changes:
        """Return what installing would do; the version may be empty. Raises Refused if it cannot be done."""

    def available(self, package: str, version: str) -> bool:
        """Return whether a repository still has this version."""

    def install(self, package: str, version: str) -> Argv:
        """Return the command that installs, removing nothing."""

    def revert(self, versions: Mapping[str, tuple[str, str]]) -> Sequence[Argv]:
        """Return the commands that bring packages back to the old of two versions, or remove the new one."""

    def hold(self, package: str, on: bool) -> Argv:
        """Return the command that keeps a package from changing, or lets it change again."""

    def finish(self) -> Sequence[Argv]:
        """Return the commands that finish an interrupted transaction."""


class Apt:
    """Debian and Ubuntu."""

    name = "apt-get"
    ACTION = re.compile(r"^(Inst|Remv) (\S+)(?: \[([^]]*)\])?(?: \((\S+))?", re.M)
    ALWAYS = ("apt-get", "-y", "-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=60")

    def installed(self, package: str) -> str:
        """Return the version of a package that is installed as a whole."""
        ran = ask(("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}\n", "--", package), "dpkg")
        rows = [row.split(" ", 1) for row in ran.out.splitlines()]
        return next((row[1] for row in rows if row[0] == "installed"), "")

    def held(self, package: str) -> bool:
        """Return whether apt-mark holds it."""
        return bool(told(("apt-mark", "showhold", package), "apt").strip())

    def refuse_half_done(self) -> None:
        """Ask dpkg for packages that are unpacked or half configured."""
        words = told(("dpkg", "--audit")).strip()
        if words:
            raise Refused(
                message(
                    "an earlier installation was interrupted; finish it with: dpkg --configure -a",
                    "先前的安装被中断；请先运行 dpkg --configure -a 完成它",
                )
            )

    def simulate(self, package: str, version: str) -> Changes:
        """Run apt-get -s, which needs no rights and takes no lock."""
        argv = ("apt-get", "-s", "-q", "--allow-downgrades", "install", "--", _pinned(package, "=", version))
        versions, removed = {}, []
        for verb, name, old, new in self.ACTION.findall(told(argv, "apt")):
            if verb == "Remv":
                removed.append(name)
            else:
                versions[name] = (old, new)
        return Changes(versions, tuple(removed))

    def available(self, package: str, version: str) -> bool:
        """Ask for the versions that come from repositories; the installed one alone does not count."""
        rows = (row.split("|") for row in told(("apt-cache", "madison", package), "apt").splitlines())
        return any(len(row) == 3 and row[1].strip() == version for row in rows)

    def install(self, package: str, version: str) -> Argv:
        """Return the command; ``--no-remove`` stops it if more than the simulation is at stake."""
        return (
            *self.ALWAYS,
            "--no-remove",
            "--allow-downgrades",
            "install",
            "--",
            _pinned(package, "=", version),
        )

    def revert(self, versions: Mapping[str, tuple[str, str]]) -> Sequence[Argv]:
        """Return one transaction: old versions, and a minus for what was not there."""
        words = [f"{name}={old}" if old else f"{name}-" for name, (old, _) in versions.items()]
        return [(*self.ALWAYS, "--allow-downgrades", "install", "--", *words)]

    def hold(self, package: str, on: bool) -> Argv:
        """Return apt-mark's command."""
        return ("apt-mark", "hold" if on else "unhold", package)

    def finish(self) -> Sequence[Argv]:
        """Return dpkg's command, then apt's that fetches what is missing."""
        return [("dpkg", "--configure", "-a"), (*self.ALWAYS, "--no-remove", "--fix-broken", "install")]


class _Rpm:
    """What dnf and zypper share: the database of installed packages."""

    QUERY = "%{INSTALLTIME} %|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}\n"

    def installed(self, package: str) -> str:
        """Return epoch, version and release; of several, as kernels have, the last one installed."""
        ran = ask(("rpm", "-q", "--qf", self.QUERY, "--", package), "rpm")
        rows = [row.split() for row in ran.out.splitlines()] if ran.code == 0 else []
        return max(rows, key=lambda row: int(row[0]))[1] if rows else ""

    def refuse_half_done(self) -> None:
        """Do nothing: rpm has no state in between that it could tell."""

    def finish(self) -> Sequence[Argv]:
        """Return the check of the database."""
        return [("rpm", "--verifydb")]


class Dnf(_Rpm):
    """Fedora, RHEL and their kin."""

    name = "dnf"
    ROW = re.compile(r"^ (\S+) +\S+ +(\S+) +\S+ +[\d.]+ ?[kMG]? *$", re.M)
    PART = re.compile(r"^(Installing|Upgrading|Downgrading|Reinstalling|Removing)\b.*:$", re.M)

    WHY = re.compile(r"^(?: Problem[^:]*: |Error: (?=\S))(.+)", re.M)

    def held(self, package: str) -> bool:
        """Return whether the versionlock plugin locks it."""
        rows = told(("dnf", "-q", "versionlock", "list"), "python3-dnf-plugin-versionlock").splitlines()
        return any(re.match(rf"!?{re.escape(package)}-(\d+:)?\d", row) for row in rows)

    def simulate(self, package: str, version: str) -> Changes:
        """Read the table that dnf prints before it asks; the answer is no."""
        ran = ask(("dnf", "--assumeno", "install", _pinned(package, "-", version)), seconds=300)
        parts = self.PART.split(ran.out)
        versions, removed = {}, []
        for kind, rows in zip(parts[1::2], parts[2::2], strict=True):
            for name, new in self.ROW.findall(rows):
                if kind == "Removing":
                    removed.append(name)
                else:
                    versions[name] = ("" if kind == "Installing" else self.installed(name), new)
        if not versions:
            why = self.WHY.search(ran.err)
            reason = why.group(1) if why else ran.reason
            raise Refused(message("dnf: {reason}", "dnf：{reason}", reason=reason))
        return Changes(versions, tuple(removed))

    def available(self, package: str, version: str) -> bool:
        """Ask the repositories."""
        argv = ("dnf", "-q", "repoquery", _pinned(package, "-", version))
        return bool(told(argv, seconds=300).strip())

    def install(self, package: str, version: str) -> Argv:
        """Return the command; dnf removes nothing without --allowerasing."""
        return ("dnf", "-y", "install", _pinned(package, "-", version))

    def revert(self, versions: Mapping[str, tuple[str, str]]) -> Sequence[Argv]:
        """Return an installation, which also lowers versions, and a removal that takes nothing along."""
        new = [_pinned(name, "-", new) for name, (old, new) in versions.items() if not old]
        old = [_pinned(name, "-", old) for name, (old, _) in versions.items() if old]
        removal = [("dnf", "-y", "--noautoremove", "remove", *new)] if new else []
        return [*([("dnf", "-y", "install", *old)] if old else []), *removal]

    def hold(self, package: str, on: bool) -> Argv:
        """Return the plugin's command."""
        return ("dnf", "-q", "versionlock", "add" if on else "delete", package)


class Zypper(_Rpm):
    """SUSE."""

    name = "zypper"
    RUN = ("zypper", "--non-interactive")
    ROW = re.compile(r'<solvable type="package" ([^>]*)>')
    VALUE = re.compile(r'([\w-]+)="([^"]*)"')
    WHY = re.compile(r'<message type="error">(.*?)</message>|<description>(?:Problem: )?(.*?)\n', re.S)
    PART = re.compile(r"<(to-\w+)>(.*?)</\1>", re.S)

    def held(self, package: str) -> bool:
        """Return whether zypper has a lock on it."""
        rows = (row.split("|") for row in told(("zypper", "-q", "locks")).splitlines())
        return any(len(row) > 1 and row[1].strip() == package for row in rows)

    def simulate(self, package: str, version: str) -> Changes:
        """Read zypper's dry run."""
        argv = ("zypper", "--non-interactive", "--xmlout", "install", "--oldpackage", "--dry-run", "--")
        ran = ask((*argv, _pinned(package, "=", version)), seconds=300)
        if ran.code:
            why = self.WHY.search(ran.out)
            reason = html.unescape(why.group(1) or why.group(2)) if why else ran.reason
            raise Refused(message("zypper: {reason}", "zypper：{reason}", reason=reason.strip()))
        versions, removed = {}, []
        for kind, rows in self.PART.findall(ran.out):
            for row in map(dict, map(self.VALUE.findall, self.ROW.findall(rows))):
                if kind == "to-remove":
                    removed.append(row["name"])
                else:
                    versions[row["name"]] = (row.get("edition-old", ""), row["edition"])
        return Changes(versions, tuple(removed))

    def available(self, package: str, version: str) -> bool:
        """Ask the repositories; zypper names the installed one as being in none."""
        argv = ("zypper", "-q", "search", "--details", "--match-exact", "-t", "package", "--", package)
        rows = ([word.strip() for word in row.split("|")] for row in ask(argv).out.splitlines())
        return any(len(row) > 5 and row[3] == version and "System Packages" not in row[5] for row in rows)

    def install(self, package: str, version: str) -> Argv:
        """Return the command; asked nothing, zypper gives up where something would have to go."""
        return (*self.RUN, "install", "--oldpackage", "--", _pinned(package, "=", version))

    def revert(self, versions: Mapping[str, tuple[str, str]]) -> Sequence[Argv]:
        """Return one transaction: old versions, and a minus for what was not there."""
        words = [f"{name}={old}" if old else f"-{name}={new}" for name, (old, new) in versions.items()]
        return [(*self.RUN, "install", "--oldpackage", "--", *words)]

    def hold(self, package: str, on: bool) -> Argv:
        """Return the command for locks."""
        return ("zypper", "addlock" if on else "removelock", package)


def manager() -> Manager:
    """Return the package manager of this machine. Raises Refused if it has none that is known."""
    known: tuple[Manager, ...] = (Apt(), Dnf(), Zypper())
    for one in known:
        if found(one.name):
            return one
    raise Refused(
        message("there is no apt, dnf or zypper here", "本机没有 apt、dnf 或 zypper"),
    )


def _pinned(package: str, sign: str, version: str) -> str:
    return f"{package}{sign}{version}" if version else package
