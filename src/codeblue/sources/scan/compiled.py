"""Compiled databases of engines, kept between runs in the cache directory (XDG).

A kept file that is damaged, foreign or cut short is as good as none. A directory that cannot be
written costs the time to compile, nothing else.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

MAGIC = b"codeblue-scan-1\n"
CPU_LINES = ("flags", "Features", "model name", "CPU implementer", "CPU part")
LARGEST = 64 << 20
MOST = 4
"""Databases kept of one engine: two versions in turn must not compile each time."""


def directory() -> Path:
    """Return the cache directory, after the XDG base directory specification."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "codeblue"


def key(engine: str, version: str, sources: Iterable[str]) -> str:
    """Return the name under which a database is kept: other signatures, library or CPU, other name."""
    digest = hashlib.sha256()
    for part in (engine, version, _cpu(), *sources):
        digest.update(part.encode() + b"\0")
    return f"{engine}-{digest.hexdigest()[:24]}"


def _cpu() -> str:
    found: dict[str, str] = {}
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() in CPU_LINES:
                found.setdefault(name.strip(), value.strip())
    return repr((os.uname().machine, sorted(found.items())))


def load(name: str, parts: int) -> list[bytes] | None:
    """Return the kept parts, None if there are none that can be trusted."""
    try:
        with open(directory() / name, "rb") as file:
            status = os.fstat(file.fileno())
            # What others may write is not loaded into a library that trusts its input.
            if status.st_uid not in (0, os.geteuid()) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return None
            content = file.read(LARGEST) if stat.S_ISREG(status.st_mode) else b""
    except OSError:
        return None
    head, body = content[: len(MAGIC) + 32], content[len(MAGIC) + 32 :]
    if head != MAGIC + hashlib.sha256(body).digest():
        return None
    found = []
    while body:
        size = int.from_bytes(body[:8], "little")
        found.append(body[8 : 8 + size])
        body = body[8 + size :]
    return found if len(found) == parts else None


def store(name: str, parts: Sequence[bytes]) -> None:
    """Keep the parts, whole or not at all; only the newest few databases stay."""
    body = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    place = directory()
    temporary = place / f"{name}.{os.getpid()}.tmp"
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(temporary, place / name)
        kept = sorted(place.glob(f"{name.partition('-')[0]}-*"), key=lambda path: -path.stat().st_mtime_ns)
        for old in kept[MOST:]:
            old.unlink()
    except OSError:
        with suppress(OSError):
            temporary.unlink()
