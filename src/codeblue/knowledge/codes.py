"""Return codes and kernel-log codes of NVIDIA software."""

from msgspec import Struct

from codeblue.knowledge.tables import by_key


class Code(Struct, frozen=True):
    """One code with its name and meaning."""

    code: int
    name: str
    meaning: str
    causes: tuple[str, ...] = ()


class Event(Struct, frozen=True):
    """One Xid or SXid."""

    code: int
    name: str
    title: str
    severity: str
    """``info``, ``warning`` or ``error`` (for SXid the fatality)."""
    action: str
    classes: tuple[str, ...] = ()
    """Likely cause classes, most likely first: app, driver, hw, memory, nvlink, pcie, power, thermal."""


def cuda_error(code: int) -> Code | None:
    """Return the CUDA driver or runtime error ``code``; None if no table knows it."""
    row = by_key("cuda_errors", "code").get(code)
    if row is None:
        return None
    name = row.get("driver") or row.get("runtime") or ""
    return Code(code, name, row.get("meaning", ""), tuple(row.get("causes", ())))


def nvml_error(code: int) -> Code | None:
    """Return the NVML return code ``code``; None if no table knows it."""
    row = by_key("nvml_errors", "code").get(code)
    if row is None:
        return None
    return Code(code, row["name"], row.get("meaning", ""), tuple(row.get("causes", ())))


def xid(code: int) -> Event | None:
    """Return the GPU event ``code``; None if no table knows it."""
    row = by_key("xid", "code").get(code)
    if row is None:
        return None
    return Event(
        code,
        row.get("name") or "",
        row.get("title") or "",
        row.get("severity") or "",
        row.get("action") or "",
        tuple(row.get("class", ())),
    )


def sxid(code: int) -> Event | None:
    """Return the NVSwitch event ``code``; None if no table knows it."""
    row = by_key("sxid", "code").get(code)
    if row is None:
        return None
    return Event(code, row["name"], row["name"], row["fatality"], row["action"])
