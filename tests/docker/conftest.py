"""A docker daemon of the tests' own. It touches neither the user's daemon nor its files.

It runs only as root, with docker and debootstrap installed, and if ``CI=true`` or
``CODEBLUE_DOCKER_TESTS=1`` is set: it starts containers and, once, downloads a small root file system.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docker.private import IMAGE, PrivateDocker

PACKAGES = "python3"
SUITE = "bookworm"
UNNEEDED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt", "var/lib/apt/lists")
MIRROR = re.compile(r"^(?:URIs:|deb\s+(?:\[[^]]*\]\s+)?)\s*(https?://\S+/debian/?)(?:\s|$)", re.M)


def _unusable() -> str | None:
    if "true" not in os.environ.get("CI", "") and os.environ.get("CODEBLUE_DOCKER_TESTS") != "1":
        return "starts a docker daemon of its own: set CODEBLUE_DOCKER_TESTS=1"
    if os.geteuid() != 0:
        return "needs root to start a docker daemon of its own"
    missing = [name for name in ("dockerd", "docker", "debootstrap") if not shutil.which(name)]
    return f"not installed: {', '.join(missing)}" if missing else None


def _root_file_system() -> Path:
    """Return the archive of a small root file system, made once and kept in the cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "codeblue-tests"
    archive = cache / f"{SUITE}-{PACKAGES}.tar.gz"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers that test side by side make it once
        if not archive.exists():
            _make(archive)
    return archive


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


@pytest.fixture(scope="session")
def docker() -> Iterator[PrivateDocker]:
    """A running private daemon with one image."""
    reason = _unusable()
    if reason:
        pytest.skip(reason)
    archive = _root_file_system()
    with tempfile.TemporaryDirectory(prefix="codeblue-docker", ignore_cleanup_errors=True) as name:
        private = PrivateDocker(Path(name))
        try:
            private.start()
            private.client("import", str(archive), IMAGE)
            yield private
        finally:
            private.end()
