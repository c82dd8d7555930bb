"""A small root file system for the containers of the tests, made once and kept in the cache."""

import fcntl
import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

PACKAGES = "python3"
SUITE = "bookworm"
UNNEEDED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt", "var/lib/apt/lists")
MIRROR = re.compile(r"^(?:URIs:|deb\s+(?:\[[^]]*\]\s+)?)\s*(https?://\S+/debian/?)(?:\s|$)", re.M)


def unasked() -> bool:
    """True if nobody asked for tests that start container engines of their own."""
    return "true" not in os.environ.get("CI", "") and os.environ.get("CODEBLUE_DOCKER_TESTS") != "1"


def cache() -> Path:
    """Return the folder of what was downloaded for tests."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "codeblue-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def archive() -> Path:
    """Return the archive of the root file system."""
    made = cache() / f"{SUITE}-{PACKAGES}.tar.gz"
    with (cache() / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers that test side by side make it once
        if not made.exists():
            _make(made)
    return made


def _make(archive: Path) -> None:
    sources = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    texts = [path.read_text(encoding="utf-8") for path in sources if path.is_file()]
    mirrors = [found.group(1) for text in texts if (found := MIRROR.search(text))]
    if not mirrors:
        pytest.skip("apt has no Debian mirror from which a root file system could be made")
    with tempfile.TemporaryDirectory(prefix="codeblue-root") as folder:
        make = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, folder, mirrors[0]]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL, timeout=600)
        Path(folder).chmod(0o755)
        partial = archive.with_suffix(f".{os.getpid()}")
        leave = [f"--exclude=./{path}/*" for path in UNNEEDED]
        subprocess.run(["tar", "-C", folder, *leave, "-czf", str(partial), "."], check=True)
    partial.rename(archive)
