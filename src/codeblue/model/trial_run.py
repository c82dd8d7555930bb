"""What is kept of one trial, so that later ones can be compared with it."""

from msgspec import Struct


class TrialRun(Struct, frozen=True, kw_only=True):
    """The numbers of one trial of a whole machine."""

    time: str
    """UTC, ISO 8601."""
    host: str | None
    """Pseudonym."""
    devices: tuple[str, ...]
    """Names of the GPUs, in their order."""
    driver: str | None = None
    torch: str | None = None
    values: dict[str, float]
    """By trial, subject and key, joined with slashes."""
