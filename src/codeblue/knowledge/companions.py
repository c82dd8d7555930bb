"""Which torchvision and torchaudio belong to which torch, by the table of releases."""

from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older
from codeblue.knowledge.wheels import plain, release


def fitting(name: str, torch: str) -> list[str]:
    """Return the versions of a companion that were built for a release of torch, oldest first."""
    row = release(torch)
    return list(row[name]) if row else []


def partners(name: str, version: str) -> list[str]:
    """Return the releases of torch that a companion was built for; none if no table knows it.

    ``name`` is ``torchvision`` or ``torchaudio``.
    """
    wanted = plain(version)
    return [row["version"] for row in table("torch_releases")["rows"] if wanted in row[name]]


def has_builds(name: str, torch: str, machine: str) -> bool:
    """Return whether a companion has a build for each CUDA, told apart by the local part of its version.

    On aarch64 torchvision had one wheel for all up to 0.24; of torchaudio nobody has seen others.
    Source: github pytorch/vision#9330.
    """
    return machine != "aarch64" or (name == "torchvision" and not older(torch, "2.10"))
