"""The whole PyTorch table: one row for each official CUDA build."""

from codeblue.knowledge.lookup.build import Raw, grid
from codeblue.knowledge.lookup.software import variants
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older
from codeblue.model.rows import Grid

COLUMNS = (
    *("torch", "variant", "machine", "plain", "cuda", "cudnn", "nccl", "python"),
    *("driver_min", "driver_native", "capabilities", "archs", "confidence"),
)
MACHINES = {"x86_64": "variants", "aarch64": "aarch64_variants"}
PLAIN = {"x86_64": "pypi_variant", "aarch64": "pypi_aarch64_variant"}


def pytorch(since: str | None) -> Grid:
    """Return the builds of all releases from ``since`` on, the newest release first.

    ``plain`` says whether the build is the one that PyPI gives for ``pip install torch``.
    Raises ValueError if ``since`` does not begin with a number.
    """
    releases = reversed(table("torch_releases")["rows"])
    wanted = [raw for raw in releases if since is None or not older(raw["version"], since)]
    items = [item for raw in wanted for machine in MACHINES for item in _items(raw, machine)]
    return grid("pytorch", COLUMNS, items)


def _items(raw: Raw, machine: str) -> list[Raw]:
    pythons = raw["python"] if machine == "x86_64" else raw.get("python_aarch64", raw["python"])
    return [
        build
        | {
            "torch": raw["version"],
            "machine": machine,
            "plain": build["variant"] == raw[PLAIN[machine]],
            "python": pythons,
            "archs": _architectures(build["capabilities"]),
            "low": [*build["low"], *(["archs"] if "capabilities" in build["low"] else [])],
        }
        for build in variants(raw, MACHINES[machine])
    ]


def _architectures(capabilities: list[str]) -> list[str]:
    """Return the architectures that these capabilities belong to, in their order, each once."""
    known = {one["cc"]: one["arch"] for one in table("gpus")["capabilities"]} | OLD
    return list(dict.fromkeys(known[one.rstrip("af")] for one in capabilities))


OLD = {"3.7": "Kepler", "5.0": "Maxwell"}
"""Capabilities without a GPU in the table. Source: CUDA programming guide, compute capabilities."""
