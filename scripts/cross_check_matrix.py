"""Compare the version tables with what other projects and the package index say.

``python -m scripts.cross_check_matrix PYTHON`` asks another interpreter, into which hw-compat-matrix,
light-the-torch, gpu-installer and nvidia-arch were installed, for their tables, and its pip for the
releases of torch. One line is one difference; docs/matrix-cross-check.md explains those that stay.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.drivers import minimum
from codeblue.knowledge.gpu_names import matching
from codeblue.knowledge.tables import by_key, table
from codeblue.knowledge.versions import parts

OTHERS = """
import json
import hw_compat_matrix as hw
from gpu_installer.constants import CUDA_PYTORCH_COMPATIBILITY as installer
from light_the_torch._cb import _MINIMUM_DRIVER_VERSIONS as light
from nvidia_arch.arches import CUDA_FILTERS
entries = hw.load_cuda_driver_matrix().entries
print(json.dumps({
    "toolkit_drivers": [[one.toolkit_version, one.update or 0, one.min_driver] for one in entries],
    "gpus": {one.canonical_name: one.sm for one in hw.load_gpu_aliases().canonical_gpus},
    "floors": {str(cuda): str(driver) for cuda, driver in light["Linux"].items()},
    "builds": installer,
    "targets": CUDA_FILTERS,
}))
"""
"""Printed by the other interpreter: what the packages know, as JSON."""

OLD_TAGS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64")
ALL_TAGS = (*OLD_TAGS, "manylinux_2_27_x86_64", "manylinux_2_28_x86_64")
SECONDS = 120
LATE = 15
"""A late patch release of every Python, since old releases of torch exclude the first ones (>=3.6.2)."""


def asked(python: str, *arguments: str) -> str:
    """Return what another interpreter prints. Raises subprocess.SubprocessError if it fails."""
    done = subprocess.run(
        [python, *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def releases(python: str, version: str, tags: tuple[str, ...]) -> set[str]:
    """Return the releases of torch with a wheel for a version of Python and one of the platforms.

    Builds with a local version come from an index or a directory of this machine and are left out.
    """
    platforms = [word for tag in tags for word in ("--platform", tag)]
    said = asked(
        python,
        *("-m", "pip", "index", "versions", "torch", "--only-binary=:all:"),
        *("--python-version", version),
        *platforms,
    )
    listed = next((line for line in said.splitlines() if line.startswith("Available versions:")), "")
    found = {word.strip() for word in listed.partition(":")[2].split(",")}
    return {one for one in found if one and "+" not in one}


def drivers(others: dict[str, Any]) -> Iterator[str]:
    """Compare the driver of each toolkit, and the floor of minor-version compatibility."""
    known = by_key("cuda_toolkits", "version")
    for cuda, update, driver in others["toolkit_drivers"]:
        row = known.get(cuda)
        if row is None:
            yield f"toolkit {cuda}: hw-compat-matrix has driver {driver}, the table has no such toolkit"
        elif driver not in (mine := [one["driver"] for one in row["updates"]]):
            here = ", ".join(mine)
            yield f"driver of CUDA {cuda} update {update}: {driver} in hw-compat-matrix, {here} here"
    for cuda, floor in others["floors"].items():
        mine_floor = minimum(cuda) or (known[cuda]["updates"][0]["driver"] if cuda in known else None)
        if mine_floor is not None and not _starts(mine_floor, floor):
            yield f"floor of CUDA {cuda}: {floor} in light-the-torch, {mine_floor} here"


def _starts(one: str, other: str) -> bool:
    return parts(one)[: len(parts(other))] == parts(other)


def gpus(others: dict[str, Any]) -> Iterator[str]:
    """Compare the compute capability of GPUs by the names that clouds give them."""
    for name, sm in others["gpus"].items():
        mine = sorted({row["cc"].replace(".", "") for row in matching(name)})
        if not mine:
            yield f"GPU {name} (sm_{sm}): not in the table by this name"
        elif mine != [sm]:
            yield f"GPU {name}: sm_{sm} in hw-compat-matrix, {', '.join(mine)} here"


def targets(others: dict[str, Any]) -> Iterator[str]:
    """Compare what each toolkit compiles for."""
    known = by_key("cuda_toolkits", "version")
    for cuda in sorted(set(others["targets"]) & set(known), key=parts):
        theirs, mine = {int(one) for one in others["targets"][cuda]}, set(known[cuda]["targets"])
        if theirs - mine:
            yield f"CUDA {cuda}: nvidia-arch also has {sorted(theirs - mine)}"
        if mine - theirs:
            yield f"CUDA {cuda}: only here {sorted(mine - theirs)}"


def builds(others: dict[str, Any]) -> Iterator[str]:
    """Compare the builds of torch that an installer would choose."""
    known = by_key("torch_releases", "version")
    for variant, rows in others["builds"].items():
        for torch, torchvision, torchaudio in rows:
            row = known.get(torch)
            if row is None or f"cu{variant}" not in row["variants"]:
                yield f"gpu-installer takes torch {torch} with cu{variant}; here it has {_offered(row)}"
            elif torchvision not in row["torchvision"] or torchaudio not in row["torchaudio"]:
                yield f"gpu-installer pairs torch {torch} with {torchvision} and {torchaudio}"


def _offered(row: dict[str, Any] | None) -> str:
    return ", ".join(row["variants"]) if row else "no such release"


def wheels(python: str) -> Iterator[str]:
    """Compare interpreters and C libraries with the wheels of the package index."""
    rows = table("torch_releases")["rows"]
    versions = {one for row in rows for one in row["python"] if not one.endswith("t")}
    for version in sorted(versions, key=parts):
        theirs = releases(python, f"{version}.{LATE}", ALL_TAGS)
        mine = {row["version"] for row in rows if version in row["python"]}
        yield from _differing(f"Python {version}", theirs, mine, rows)
    theirs = releases(python, f"3.10.{LATE}", OLD_TAGS)
    mine = {row["version"] for row in rows if row["glibc_min"] == "2.17" and "3.10" in row["python"]}
    yield from _differing("glibc 2.17, Python 3.10", theirs, mine, rows)


def _differing(what: str, theirs: set[str], mine: set[str], rows: list[dict[str, Any]]) -> Iterator[str]:
    covered = {row["version"] for row in rows}
    if more := sorted((theirs & covered) - mine, key=parts):
        yield f"{what}: the index also has torch {', '.join(more)}"
    if less := sorted(mine - theirs, key=parts):
        yield f"{what}: the index lacks torch {', '.join(less)}"
    if unknown := sorted((one for one in theirs - covered if parts(one) >= (1, 8)), key=parts):
        yield f"{what}: the table lacks torch {', '.join(unknown)}"


def main() -> int:
    """Print every difference; the exit code is 1 if the other interpreter could not be asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", help="interpreter with the other projects' packages")
    python = parser.parse_args().python
    try:
        others = json.loads(asked(python, "-c", OTHERS))
        found = [*drivers(others), *gpus(others), *targets(others), *builds(others), *wheels(python)]
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        print(f"{python} could not be asked: {error}", file=sys.stderr)
        return 1
    for line in found:
        print(line)
    print(f"{len(found)} differences", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
