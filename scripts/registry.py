"""What a package registry says of a package, asked through pip.

pip knows the index, the proxy and the certificates of the machine it runs on, so that nothing of them is
written here. Only documented commands are used: ``pip index versions`` and ``pip install --report`` as a
dry run, which reads the metadata alone. Take a current pip: old ones download whole wheels for it.
"""

import ast
import json
import os
import re
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

SECONDS = 300
"""A command that takes longer is given up."""
REACHED_BY = ("index-url", "cert", "client-cert", "proxy", "trusted-host")
"""Options of pip's configuration that say how the index is reached."""
FOREIGN = frozenset({"PIP_CONSTRAINT", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"})
GLIBC_MINORS = (17, 18, 24, 26, 27, 28, 31, 34, 35, 39, 42)
"""glibc versions that builders of wheels aim at; pip adds the older names of 2.5, 2.12 and 2.17 itself."""
_AVAILABLE = re.compile(r"^Available versions: (.*)$", re.MULTILINE)
_OPTION = re.compile(r"^global\.([\w-]+)=('.*')$", re.MULTILINE)
_PROCESSOR = re.compile(r"platform_machine *== *[\"'](\w+)[\"']")
_NOTHING = "No matching distribution found"
_TROUBLE = ("Retrying", "Could not fetch URL", "SSLError", "connection")
"""Words of pip that say that the index did not answer."""


class NoAnswer(Exception):
    """The registry could not be asked. The text is one line."""


class Platform(NamedTuple):
    """For which interpreter and processor wheels are looked at."""

    python: str
    """As in the tables: ``3.13``, or ``3.13t`` for a free-threaded build."""
    machine: str
    """``x86_64`` or ``aarch64``."""

    def options(self) -> list[str]:
        """Return pip's options for wheels of this platform with any glibc."""
        number, free = self.python.removesuffix("t"), self.python.endswith("t")
        abi = "cp" + number.replace(".", "")
        # CPython up to 3.7 has an m in its ABI tag.
        abis = [abi + ("t" if free else "m" if number in ("3.6", "3.7") else ""), "abi3", "none"]
        tags = [*(f"manylinux_2_{minor}" for minor in GLIBC_MINORS), "manylinux2014", "linux"]
        return [
            "--only-binary=:all:",
            # The last patch release: some releases demand 3.6.2.
            *("--python-version", f"{number}.99", "--implementation", "cp"),
            *(word for one in abis for word in ("--abi", one)),
            *(word for tag in tags for word in ("--platform", f"{tag}_{self.machine}")),
        ]


class Wheel(NamedTuple):
    """What the metadata of one wheel says."""

    tag: str
    """Its platform tag, e.g. ``manylinux_2_28_x86_64``."""
    requires_python: str | None
    requires: tuple[str, ...]
    yanked: bool

    def pins(self) -> dict[str, str]:
        """Return what the wheel demands of each package, e.g. ``{"triton": "==3.3.0"}``.

        What an extra or another processor demands is left out.
        """
        found: dict[str, str] = {}
        for requirement in self.requires:
            demand, _, marker = requirement.partition(";")
            read = re.match(r"([\w.-]+)(?:\[[^\]]*\])? *\(?([^)]*)\)?", demand.strip())
            processor = _PROCESSOR.search(marker)
            elsewhere = processor is not None and not self.tag.endswith((processor[1], "any"))
            if read and "extra ==" not in marker and not elsewhere:
                found.setdefault(read[1].lower().replace("_", "-"), read[2].strip())
        return found


class Registry:
    """One index, asked with one pip.

    ``python`` is the interpreter whose pip asks; ``index`` an index URL, or None for pip's own.
    Raises NoAnswer if there is no such interpreter.
    """

    def __init__(self, python: str, index: str | None) -> None:
        self.command = [python, "-m", "pip"]
        self.index = ["--index-url", index] if index else []
        self.environment = _environment(self.command)

    def versions(self, package: str, platform: Platform | None = None) -> list[str]:
        """Return the versions that are neither yanked nor previews; none if there is no such wheel.

        Without a platform those count that this interpreter could install, sources too.
        Raises NoAnswer if the registry could not be asked.
        """
        options = platform.options() if platform else ["--ignore-requires-python"]
        done = self._run("index", "versions", package, *self.index, *options)
        found = _AVAILABLE.search(done.stdout)
        if found:
            # A folder of local wheels may add builds of its own, such as 2.9.0+cpu.
            return [version for version in found[1].split(", ") if "+" not in version]
        if _NOTHING in done.stderr and not any(word in done.stderr for word in _TROUBLE):
            return []
        raise NoAnswer(f"{package}: {_last_line(done.stderr)}")

    def wheel(self, package: str, version: str, platform: Platform) -> Wheel | None:
        """Return the metadata of one wheel; None if there is none for the platform.

        Raises NoAnswer if the registry could not be asked.
        """
        done = self._run(
            *("install", "--dry-run", "--quiet", "--no-deps", "--ignore-installed", "--report", "-"),
            # pip would compare with the interpreter that runs it, not with the one that is asked about.
            *("--use-feature=fast-deps", "--ignore-requires-python"),
            *("--target", os.path.join(os.sep, "nonexistent"), *self.index, *platform.options()),
            f"{package}==={version}",
        )
        if done.returncode != 0:
            if _NOTHING in done.stderr and not any(word in done.stderr for word in _TROUBLE):
                return None
            raise NoAnswer(f"{package} {version}: {_last_line(done.stderr)}")
        return _wheel(json.loads(done.stdout)["install"][0])

    def _run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return _started([*self.command, *arguments], self.environment)


def _environment(command: list[str]) -> dict[str, str]:
    """Return pip's environment: how the index is reached stays, what would change its answers goes.

    Constraints, folders of wheels and further indexes of this machine are no part of the registry.
    """
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    for option, value in _OPTION.findall(_started([*command, "config", "list"], dict(os.environ)).stdout):
        if option in REACHED_BY:
            kept.setdefault("PIP_" + option.upper().replace("-", "_"), str(ast.literal_eval(value)))
    return kept | {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_NO_CACHE_DIR": "1",
    }


def _started(command: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoAnswer(f"pip: {error}") from None


def _wheel(item: dict[str, Any]) -> Wheel:
    name = str(item["download_info"]["url"]).rpartition("/")[2].removesuffix(".whl")
    about = item["metadata"]
    return Wheel(
        tag=name.rpartition("-")[2],
        requires_python=about.get("requires_python"),
        requires=tuple(about.get("requires_dist", ())),
        yanked=bool(item.get("is_yanked")),
    )


def _last_line(text: str) -> str:
    lines: Sequence[str] = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "pip said nothing"
