"""An interpreter's environment, as it tells itself, and the program that changes it."""

import os
import pwd
import re
from collections.abc import Sequence

from msgspec import MsgspecError, Struct, json, structs

from codeblue.model.plan import Args, Refused
from codeblue.model.text import message
from codeblue.remedy.run import ask, change, environment, found
from codeblue.remedy.verbs.by_program import wanted

FACTS = r"""
import json, os, re, sys, sysconfig
from importlib import metadata
from importlib.util import find_spec
def one(found):
    files = found.files or []
    origin = found.read_text("direct_url.json") or ""
    return {"version": found.version, "editable": '"editable": true' in origin,
            "installer": (found.read_text("INSTALLER") or "").strip(),
            "missing": sum(not os.path.lexists(str(found.locate_file(name))) for name in files)}
installed = {}
for found in metadata.distributions():
    name = found.metadata["Name"]
    if name:
        installed.setdefault(re.sub(r"[-_.]+", "-", name).lower(), one(found))
marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
print(json.dumps({"prefix": sys.prefix, "packages": sysconfig.get_path("purelib"), "installed": installed,
    "managed": sys.prefix == sys.base_prefix and os.path.exists(marker),
    "conda": os.path.isdir(os.path.join(sys.prefix, "conda-meta")), "pip": find_spec("pip") is not None}))
"""
"""Python 3.8 and newer. Of two distributions with one name, the first on the path is the one imported."""

QUIET = ("--no-input", "--disable-pip-version-check", "--no-color")
OWN_PATHS = ("LD_LIBRARY_PATH",)
"""Kept for the user's own interpreter, which may need it to start."""

SECONDS = 1800.0
"""A wheel of torch with its CUDA libraries is some GB."""


class Installed(Struct, frozen=True):
    """One distribution."""

    version: str
    installer: str
    editable: bool
    missing: int
    """Files that it lists and that are not there."""


class Interpreter(Struct, frozen=True):
    """One environment."""

    prefix: str
    packages: str
    """Folder where distributions are installed."""
    managed: bool
    """PEP 668: the distribution's package manager owns it."""
    conda: bool
    pip: bool
    installed: dict[str, Installed]
    executable: str = ""

    def version(self, name: str) -> str:
        """Return the version of a distribution, empty if it is not installed."""
        found = self.installed.get(name)
        return found.version if found else ""


class Reported(Struct, frozen=True):
    """One distribution of pip's report."""

    metadata: dict[str, object]


class Report(Struct, frozen=True):
    """What ``pip install --dry-run --report -`` prints."""

    install: list[Reported] = []


def normal(name: str) -> str:
    """Return the name of a distribution as the indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def interpreter(args: Args) -> Interpreter:
    """Return what the interpreter of a step tells. Raises Refused if it cannot, or must not be changed."""
    python = wanted(args, "python")
    if not os.path.isabs(python) or not os.access(python, os.X_OK):
        raise _refused(python, "is no interpreter here", "不是本机的解释器")
    # -E: what PYTHONPATH names is not installed; the user's own site is.
    ran = ask((python, "-E", "-c", FACTS), env=_environment(python))
    try:
        facts = json.decode(ran.out, type=Interpreter)
    except MsgspecError:
        raise _refused(
            python,
            "does not tell what is installed: {reason}",
            "无法说明已安装的内容：{reason}",
            reason=ran.reason,
        ) from None
    if facts.managed:
        raise _refused(
            python,
            "belongs to the system's package manager (PEP 668); make an environment: {python} -m venv DIR",
            "由系统的包管理器管理（PEP 668）；请新建环境：{python} -m venv 目录",
        )
    return structs.replace(facts, executable=python)


def owner(facts: Interpreter) -> tuple[int, int] | None:
    """Return the user as whom to change it, None for ourselves: root leaves no files of its own there."""
    told = os.stat(facts.packages)
    return (told.st_uid, told.st_gid) if os.geteuid() == 0 and told.st_uid != 0 else None


def tool(facts: Interpreter) -> tuple[str, ...]:
    """Return the beginning of the command line. Raises Refused where there is neither pip nor uv."""
    if facts.pip:
        return (facts.executable, "-m", "pip")
    if found("uv"):
        return ("uv", "pip")
    raise _refused(
        facts.executable,
        "has no pip, and uv is not installed; conda environments: conda install",
        "没有 pip，也没有安装 uv；conda 环境请用 conda install",
    )


def would_install(facts: Interpreter, words: Sequence[str]) -> dict[str, str]:
    """Return name and version of each distribution that an installation would bring. Raises Refused."""
    first = tool(facts)
    if not facts.pip:
        return _uv_would_install(facts, words)
    ran = ask(
        (*first, "install", "--dry-run", "--quiet", "--report", "-", *QUIET, *words),
        seconds=SECONDS,
        env=_environment(facts.executable),
        user=owner(facts),
    )
    try:
        report = json.decode(ran.out, type=Report) if ran.code == 0 else None
    except MsgspecError:
        report = None
    if report is None:
        old = "no such option" in ran.err
        raise _refused(
            facts.executable,
            "has a pip older than 22.2, which cannot preview" if old else "pip: {reason}",
            "的 pip 早于 22.2，无法预览" if old else "pip：{reason}",
            reason=ran.reason,
        )
    rows = [one.metadata for one in report.install]
    return {normal(str(row["name"])): str(row["version"]) for row in rows}


def _uv_would_install(facts: Interpreter, words: Sequence[str]) -> dict[str, str]:
    argv = ("uv", "pip", "install", "--dry-run", "--python", facts.executable, "--color", "never", *words)
    ran = ask(argv, seconds=SECONDS, env=_environment(facts.executable), user=owner(facts))
    if ran.code:
        raise _refused(facts.executable, "uv: {reason}", "uv：{reason}", reason=ran.reason)
    return {normal(name): version for name, version in re.findall(r"^ [+~] ([^=\s]+)==(\S+)", ran.err, re.M)}


def run(facts: Interpreter, job: str, words: Sequence[str]) -> None:
    """Install or uninstall. Raises Failed with the reason."""
    argv, env = command(facts, job, words), _environment(facts.executable)
    change(argv, seconds=SECONDS, env=env, user=owner(facts))


def command(facts: Interpreter, job: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the command that installs or uninstalls without a question."""
    if not facts.pip:
        return ("uv", "pip", job, "--python", facts.executable, *words)
    yes = ("-y",) if job == "uninstall" else ()
    return (*tool(facts), job, *yes, *QUIET, *words)


def frozen(facts: Interpreter) -> str:
    """Return the lock of the whole environment, one requirement a line."""
    if facts.pip:
        argv: tuple[str, ...] = (*tool(facts), "freeze", "--all", "--disable-pip-version-check")
    else:
        argv = ("uv", "pip", "freeze", "--python", facts.executable)
    ran = ask(argv, env=_environment(facts.executable), user=owner(facts))
    if ran.code:
        raise _refused(facts.executable, "pip freeze: {reason}", "pip freeze：{reason}", reason=ran.reason)
    return ran.out


def on_offer(facts: Interpreter, name: str, version: str, where: Sequence[str]) -> bool:
    """Return whether an index or folder still has this very version; True where uv cannot be asked."""
    if not facts.pip:
        return True
    argv = (*tool(facts), "index", "versions", "--pre", *QUIET, *where, name)
    ran = ask(argv, seconds=120, env=_environment(facts.executable), user=owner(facts))
    rows = [row.partition(":")[2] for row in ran.out.splitlines() if row.startswith("Available versions:")]
    return version in {one.strip() for row in rows for one in row.split(",")}


def _environment(python: str) -> dict[str, str]:
    more = {"PIP_USER": "0"}
    try:
        number = os.stat(os.path.dirname(python)).st_uid
        if os.geteuid() == 0 and number != 0:
            more["HOME"] = pwd.getpwuid(number).pw_dir
    except (KeyError, OSError):
        pass  # a number without a name has no home to go to
    return environment(OWN_PATHS, **more)


def _refused(python: str, en: str, zh: str, **values: str) -> Refused:
    return Refused(message(f"{{python}} {en}", f"{{python}} {zh}", python=python, **values))
