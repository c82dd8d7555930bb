"""A docker daemon of the tests' own. It touches neither the user's daemon nor its files.

It runs only as root, with docker and debootstrap installed, and if ``CI=true`` or
``CODEBLUE_DOCKER_TESTS=1`` is set: it starts containers and, once, downloads a small root file system.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import root_file_system
from tests.docker.private import IMAGE, PrivateDocker


def _unusable() -> str | None:
    if root_file_system.unasked():
        return "starts a docker daemon of its own: set CODEBLUE_DOCKER_TESTS=1"
    if os.geteuid() != 0:
        return "needs root to start a docker daemon of its own"
    missing = [name for name in ("dockerd", "docker", "debootstrap") if not shutil.which(name)]
    return f"not installed: {', '.join(missing)}" if missing else None


@pytest.fixture(scope="session")
def docker() -> Iterator[PrivateDocker]:
    """A running private daemon with one image."""
    reason = _unusable()
    if reason:
        pytest.skip(reason)
    archive = root_file_system.archive()
    with tempfile.TemporaryDirectory(prefix="codeblue-docker", ignore_cleanup_errors=True) as name:
        private = PrivateDocker(Path(name))
        try:
            private.start()
            private.client("import", str(archive), IMAGE)
            yield private
        finally:
            private.end()
