"""Each test has a state directory of its own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fix.kept import Folder


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Before-images and locks of this test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Folder(tmp_path / "kept")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder whose tree is compared."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory: a kill does not depend on the disk, where thousands of syncs take their time."""
    with tempfile.TemporaryDirectory(prefix="codeblue-fix", dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture
def quick(memory: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Folder]:
    """The place, which is the home too, and the before-images, all in memory."""
    monkeypatch.setenv("XDG_STATE_HOME", str(memory / "state"))
    monkeypatch.setenv("HOME", str(memory / "place"))
    return memory / "place", Folder(memory / "kept")
