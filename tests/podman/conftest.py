"""podman of the tests' own, as root and as a user made for them.

It runs only as root, with podman and debootstrap installed, and if ``CI=true`` or
``CODEBLUE_DOCKER_TESTS=1`` is set: it starts containers and, once, downloads a small root file system.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest

import codeblue
from tests import root_file_system
from tests.podman.private import IMAGE, PrivatePodman


def _usable() -> None:
    if root_file_system.unasked():
        pytest.skip("starts containers: set CODEBLUE_DOCKER_TESTS=1")
    if os.geteuid() != 0:
        pytest.skip("needs root to make a user")
    missing = [name for name in ("podman", "debootstrap", "runuser", "useradd") if not shutil.which(name)]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="session")
def podman() -> Iterator[PrivatePodman]:
    """podman of root with one image."""
    _usable()
    with tempfile.TemporaryDirectory(prefix="codeblue-podman", ignore_cleanup_errors=True) as name:
        private = PrivatePodman(Path(name))
        try:
            private.client("import", str(root_file_system.archive()), IMAGE)
            yield private
        finally:
            private.end()


@pytest.fixture(scope="session")
def rootless() -> Iterator[PrivatePodman]:
    """podman of an ordinary user, made for the tests, with one image."""
    _usable()
    user = f"codeblue-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="codeblue-rootless", ignore_cleanup_errors=True) as name:
        subprocess.run(["useradd", "--no-create-home", "--home-dir", name, user], check=True)
        try:
            shutil.chown(name, user)
            image = shutil.copy(root_file_system.archive(), f"{name}/image.tar.gz")
            private = PrivatePodman(Path(name), user)
            private.client("import", image, IMAGE)
            yield private
            private.end()
        finally:
            subprocess.run(["userdel", "--force", user], check=False, capture_output=True)


@pytest.fixture(scope="session")
def command() -> Iterator[list[str]]:
    """codeblue as a command that every user may run, whoever owns this checkout."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [os.path.realpath(sys.executable), f"/usr/bin/{version}", f"/usr/local/bin/{version}"]
    for_all = [path for path in candidates if _runs_for_all(path)]
    if not for_all:
        pytest.skip(f"no {version} that other users may run")
    with tempfile.TemporaryDirectory(prefix="codeblue-for-all") as name:
        for package in (codeblue, msgspec, click):
            folder = Path(str(package.__file__)).parent
            shutil.copytree(folder, Path(name) / folder.name)
        subprocess.run(["chmod", "-R", "a+rX", name], check=True)
        yield ["env", f"PYTHONPATH={name}", for_all[0], "-B", "-m", "codeblue"]


def _runs_for_all(path: str) -> bool:
    tried = ["runuser", "-u", "nobody", "--", path, "-c", ""]
    return subprocess.run(tried, capture_output=True, check=False, cwd="/").returncode == 0
