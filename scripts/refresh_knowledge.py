"""Compare the tables of releases with a package registry and propose what is new or different.

    python -m scripts.refresh_knowledge            changes the tables; review with git diff
    python -m scripts.refresh_knowledge --check    prints the difference; exit code 1 if there is one

The index is pip's own (``PIP_INDEX_URL``, pip's configuration) or ``--index``. What a registry does not tell
(dates, compiled GPU targets) is left open: new rows say so in ``low`` and are at most ``medium``.
"""

import argparse
import difflib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from scripts.registry import NoAnswer, Platform, Registry, Wheel
from scripts.table_file import Raw, TableFile, parts

DATA = Path(__file__).parent.parent / "src" / "codeblue" / "knowledge" / "data"
PYTHONS = tuple(f"3.{minor}{free}" for minor in range(6, 17) for free in (("", "t") if minor > 12 else ("",)))
MACHINES = {
    "x86_64": ("variants", "pypi_variant", "python"),
    "aarch64": ("aarch64_variants", "pypi_aarch64_variant", "python_aarch64"),
}
FLAVOURS = {
    "cudnn": {flavour: f"nvidia-cudnn-{flavour}" for flavour in ("cu11", "cu12", "cu13")},
    "nccl": {flavour: f"nvidia-nccl-{flavour}" for flavour in ("cu11", "cu12", "cu13")},
    "tensorrt": {name: name for name in ("tensorrt", "tensorrt-cu11", "tensorrt-cu12", "tensorrt-cu13")},
}
LISTED = {"cudnn": "pypi", "nccl": "pypi", "tensorrt": "packages"}
COMPANIONS = ("torchvision", "torchaudio")
LOOKS = (None, *(Platform(python, machine) for python in ("3.8", "3.12") for machine in MACHINES))
"""How a library is looked for: as sources, and as wheels for older and newer interpreters."""
WORKERS = 3
"""Questions asked at a time; more would be rude."""


class Asked(Protocol):
    """What is asked: a registry."""

    def versions(self, package: str, platform: Platform | None = None) -> list[str]:
        """Return the versions offered, for wheels of a platform or at all."""

    def wheel(self, package: str, version: str, platform: Platform) -> Wheel | None:
        """Return the metadata of one wheel; None if there is none."""


class Refresh:
    """Collects changes in the tables and notes for a person."""

    def __init__(self, registry: Asked, data: Path, today: str) -> None:
        self.registry = registry
        self.today = today
        names = ("torch_releases", *FLAVOURS)
        self.tables = {name: TableFile(data / f"{name}.json") for name in names}
        self.notes: list[str] = []

    # torch

    def torch(self, examined: int | None) -> None:
        """Compare the torch releases; of the newest ``examined`` (None: all) also the metadata."""
        table = self.tables["torch_releases"]
        pythons = {machine: self.pythons("torch", machine) for machine in MACHINES}
        known = table.by_version()
        oldest = parts(next(iter(known)))
        for version in sorted(pythons["x86_64"], key=parts):
            if version not in known and parts(version) > oldest:
                table.insert(self.new_torch(version, table.rows[-1]))
        for version in known:
            if version not in pythons["x86_64"]:
                self.notes.append(
                    f"torch {version}: in the table, but the registry offers no such Linux wheel (yanked?)"
                )
        rows = table.rows if examined is None else table.rows[-examined:]
        for row in table.rows:
            self.compare_pythons(
                row, {machine: pythons[machine].get(row["version"], []) for machine in MACHINES}
            )
        asked = [
            ("torch", row["version"], row[pythons if pythons in row else "python"], machine)
            for row in rows
            for machine, (_, _, pythons) in MACHINES.items()
        ]
        wheels = self.usual_wheels(asked)
        for row in rows:
            self.compare_metadata(row, {m: wheels["torch", row["version"], m] for m in MACHINES})

    def pythons(self, package: str, machine: str) -> dict[str, list[str]]:
        """Return for every version the interpreters that it has wheels for, in order."""
        asked = [Platform(python, machine) for python in PYTHONS]
        with ThreadPoolExecutor(WORKERS) as pool:
            answers = list(pool.map(lambda platform: self.registry.versions(package, platform), asked))
        found: dict[str, list[str]] = {}
        for platform, versions in zip(asked, answers, strict=True):
            for version in versions:
                found.setdefault(version, []).append(platform.python)
        if not found and machine == "x86_64":
            raise NoAnswer(f"{package}: the index has no wheel for {machine}")
        return found

    def new_torch(self, version: str, before: Raw) -> Raw:
        """Return a row for a release that nobody has examined."""
        unknown = ("glibc_min", "glibc_symbols_max", "glibcxx_symbols_max", "cxx11_abi")
        return {
            "version": version,
            "date": None,
            "requires_python": None,
            "python": [],
            "pypi_variant": None,
            "pypi_aarch64_variant": None,
            "triton": None,
            "cuda_toolkit_pin": None,
            "wheel_tag": None,
            **{key: before[key] for key in unknown},
            **{name: [] for name in COMPANIONS},
            "variants": {},
            "aarch64_variants": {},
            "note": "not examined yet",
            "src": ["pypi"],
            "confidence": "medium",
            "low": ["date", *unknown],
            "checked": self.today,
        }

    def compare_pythons(self, row: Raw, told: dict[str, list[str]]) -> None:
        """Compare the interpreters of a release."""
        if told["x86_64"]:
            self.put(row, "python", told["x86_64"])
        if told["aarch64"] and told["aarch64"] != row.get("python_aarch64", row["python"]):
            self.put(row, "python_aarch64", told["aarch64"])

    def compare_metadata(self, row: Raw, wheels: dict[str, Wheel | None]) -> None:
        """Compare what the wheels of a release demand, by processor."""
        for machine, (variants, default, _) in MACHINES.items():
            wheel = wheels[machine]
            if wheel is None:
                continue
            pins = wheel.pins()
            if machine == "x86_64":
                self.put(row, "requires_python", wheel.requires_python)
                self.put(row, "wheel_tag", wheel.tag)
                for key, package in (("triton", "triton"), ("cuda_toolkit_pin", "cuda-toolkit")):
                    if package in pins or key in row:
                        self.put(row, key, pins[package].removeprefix("==") if package in pins else None)
            self.compare_variant(row, variants, default, pins)

    def usual_wheels(
        self, asked: list[tuple[str, str, list[str], str]]
    ) -> dict[tuple[str, str, str], Wheel | None]:
        """Return by package, version and processor the wheel for the newest of some interpreters.

        Free-threaded interpreters are passed over. None stands for: there is no such wheel.
        """

        def one(package: str, version: str, pythons: list[str], machine: str) -> Wheel | None:
            usual = [python for python in pythons if not python.endswith("t")]
            return self.registry.wheel(package, version, Platform(usual[-1], machine)) if usual else None

        with ThreadPoolExecutor(WORKERS) as pool:
            found = list(pool.map(lambda question: one(*question), asked))
        return {
            (name, version, machine): w for (name, version, _, machine), w in zip(asked, found, strict=True)
        }

    def compare_variant(self, row: Raw, variants: str, default: str, pins: dict[str, str]) -> None:
        """Compare CUDA, cuDNN and NCCL of the build that PyPI has."""
        cuda = cuda_of(pins)
        if cuda is None:
            return
        name = "cu" + cuda.replace(".", "")
        self.put(row, default, name)
        build = row[variants].setdefault(name, {"cuda": cuda, "sm": [], "confidence": "low", "src": ["pypi"]})
        for key in ("cudnn", "nccl"):
            pinned = [one for package, one in pins.items() if package.startswith(f"nvidia-{key}-")]
            if pinned:
                self.put(build, key, pinned[0].removeprefix("=="))
                self.ship(key, build[key], f"{row['version']}+{name}")

    def ship(self, name: str, version: str, build: str) -> None:
        """Note in a library's row that a torch build pins it."""
        row = self.tables[name].by_version().get(version)
        if row is None:
            self.notes.append(f"torch {build} pins {name} {version}, which the table does not know")
        elif build not in row["torch"]:
            row["torch"].append(build)
            row["checked"] = self.today

    # torchvision and torchaudio

    def companions(self, examined: int | None) -> None:
        """Compare which torchvision and torchaudio accept which torch, of the newest ``examined`` of each."""
        rows = self.tables["torch_releases"].by_version()
        for package in COMPANIONS:
            offered = self.pythons(package, "x86_64")
            listed = {version for row in rows.values() for version in row[package]}
            oldest = min(map(parts, listed), default=())
            newest = sorted(offered, key=parts)[0 if examined is None else -examined :]
            versions = sorted(
                {*newest, *(one for one in offered if one not in listed and parts(one) > oldest)}, key=parts
            )
            wheels = self.usual_wheels([(package, one, offered[one], "x86_64") for one in versions])
            for version in versions:
                wheel = wheels[package, version, "x86_64"]
                if wheel is not None:
                    self.compare_companion(package, version, wheel, rows)

    def compare_companion(self, package: str, version: str, wheel: Wheel, rows: dict[str, Raw]) -> None:
        """Compare the torch that a companion demands with the rows that name it."""
        demand = wheel.pins().get("torch", "")
        naming = [row["version"] for row in rows.values() if version in row[package]]
        wanted = rows.get(demand.removeprefix("==").partition("+")[0]) if demand.startswith("==") else None
        if wanted is None:
            oldest = parts(next(iter(rows)))
            if not naming and (not demand.startswith("==") or parts(demand) > oldest):
                self.notes.append(f"{package} {version} requires torch{demand}: place it by hand")
        elif naming != [wanted["version"]]:
            for row in rows.values():
                kept = [one for one in row[package] if one != version]
                right = sorted({*kept, version}, key=parts) if row is wanted else kept
                self.put(row, package, right)

    # libraries

    def library(self, name: str) -> None:
        """Compare the releases of cuDNN, NCCL or TensorRT and the packages that carry them."""
        table = self.tables[name]
        offered: dict[str, list[str]] = {}
        for flavour, package in FLAVOURS[name].items():
            for version in self.every_version(package):
                offered.setdefault(version, []).append(flavour)
        if not offered:
            raise NoAnswer(f"{name}: the index has none of {', '.join(FLAVOURS[name].values())}")
        known = table.by_version()
        oldest = parts(next(iter(known)))
        for version in sorted(offered, key=parts):
            if same := known.get(version):
                carrying = {*same[LISTED[name]], *offered[version]}
                self.put(same, LISTED[name], [one for one in FLAVOURS[name] if one in carrying])
            elif parts(version) > oldest:
                table.insert(self.new_library(name, version, offered[version]))
        for version, row in known.items():
            if row[LISTED[name]] and version not in offered and not row.get("yanked"):
                self.notes.append(
                    f"{name} {version}: in the table, but the registry offers no such Linux wheel (yanked?)"
                )

    def every_version(self, package: str) -> set[str]:
        """Return all versions, without the numbers of repeated uploads."""
        with ThreadPoolExecutor(WORKERS) as pool:
            answers = pool.map(lambda platform: self.registry.versions(package, platform), LOOKS)
        return {version.partition(".post")[0] for versions in answers for version in versions}

    def new_library(self, name: str, version: str, packages: list[str]) -> Raw:
        """Return a row for a release that nobody has examined."""
        row: Raw = {"version": version, "date": None, LISTED[name]: packages}
        about: Raw = {"src": ["pypi"], "confidence": "medium", "checked": self.today}
        if name == "tensorrt":
            before = self.tables[name].rows[-1]
            open_ = ("cuda", "cudnn", "cc_min", "glibc_min")
            return row | {key: before[key] for key in open_} | {"low": ["date", *open_]} | about
        return row | {"torch": []} | about

    # changes

    def put(self, row: Raw, key: str, value: Any) -> None:
        """Set a value that the registry tells; a row that changes was checked today."""
        if row.get(key) != value:
            row[key] = value
            row["src"] = [*row["src"], *(["pypi"] if "pypi" not in row["src"] else [])]
            if "version" in row:
                row["checked"] = self.today


def cuda_of(pins: dict[str, str]) -> str | None:
    """Return the CUDA version that a wheel's demands belong to, e.g. ``12.8``; None if they do not tell."""
    for package in (
        "cuda-toolkit",
        "nvidia-cuda-runtime",
        *(f"nvidia-cuda-runtime-cu{n}" for n in (11, 12, 13)),
    ):
        if package in pins and pins[package].startswith("=="):
            return ".".join(pins[package].removeprefix("==").split(".")[:2])
    return None


def differences(tables: dict[str, TableFile]) -> Iterator[str]:
    """Yield the lines of a unified diff of what is proposed."""
    for table in tables.values():
        old, new = table.old.splitlines(), table.text().splitlines()
        yield from difflib.unified_diff(old, new, table.path.name, table.path.name, n=0, lineterm="")


def refresh(registry: Asked, data: Path, today: str, only: list[str], examined: int | None) -> Refresh:
    """Ask for everything that was chosen. Raises NoAnswer if the registry could not be asked."""
    work = Refresh(registry, data, today)
    steps: dict[str, Callable[[], None]] = {
        **{name: lambda name=name: work.library(name) for name in FLAVOURS},  # type: ignore[misc] # mypy cannot type a default of a lambda
        "torch": lambda: work.torch(examined),
        "companions": lambda: work.companions(examined),
    }
    for name in only or steps:
        steps[name]()
    return work


def main(arguments: list[str] | None = None) -> int:
    """Ask, then print the difference, and write it unless it is only a check."""
    parser = argparse.ArgumentParser(description="Compare the tables of releases with a package registry.")
    parser.add_argument("--check", action="store_true", help="only print; exit code 1 if something differs")
    parser.add_argument("--index", help="index URL (default: pip's own, e.g. PIP_INDEX_URL)")
    parser.add_argument("--pip", default=sys.executable, metavar="PYTHON", help="interpreter whose pip asks")
    parser.add_argument("--all", action="store_true", help="examine the metadata of all releases")
    parser.add_argument("--newest", type=int, default=3, help="examine this many (default: %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument(
        "only", nargs="*", choices=[*FLAVOURS, "torch", "companions", []], help="default: all"
    )
    chosen = parser.parse_args(arguments)
    examined = None if chosen.all else max(chosen.newest, 1)
    try:
        registry = Registry(chosen.pip, chosen.index)
        work = refresh(registry, chosen.data, date.today().isoformat(), chosen.only, examined)
    except NoAnswer as error:
        print(f"refresh_knowledge: {error}", file=sys.stderr)
        return 2
    lines = [*differences(work.tables), *(f"note: {note}" for note in work.notes)]
    print("\n".join(lines) if lines else "nothing differs")
    if chosen.check:
        return 1 if lines else 0
    for table in work.tables.values():
        if table.text() != table.old:
            table.path.write_text(table.text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
