"""Which torchvision and torchaudio belong to which torch, by the table of releases."""

from codeblue.knowledge.tables import table
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
