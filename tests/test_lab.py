"""The lab's stage leaves nothing behind (needs root)."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.scene import Scene

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.getuid() != 0, reason="private mount namespaces need root"),
]


def inside(scratch: Path, act: Callable[[Scene], bool]) -> bool:
    """Run ``act`` on a scene in a process of its own and return what it found."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if act(Scene(scratch)) else 2
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def test_a_node_gets_another_mode_only_inside(tmp_path: Path) -> None:
    before = stat.S_IMODE(os.stat("/dev/full").st_mode)

    def act(scene: Scene) -> bool:
        scene.node("full", 0o600)
        return stat.S_IMODE(os.stat("/dev/full").st_mode) == 0o600

    assert inside(tmp_path, act)
    assert stat.S_IMODE(os.stat("/dev/full").st_mode) == before


def test_nodes_go_missing_only_inside(tmp_path: Path) -> None:
    def act(scene: Scene) -> bool:
        scene.without_nodes(["full"])
        return not os.path.exists("/dev/full") and os.path.exists("/dev/null")

    assert inside(tmp_path, act)
    assert os.path.exists("/dev/full")


def test_a_nodev_mount_refuses_the_device_only_inside(tmp_path: Path) -> None:
    def act(scene: Scene) -> bool:
        scene.nodev(["full"])
        try:
            os.close(os.open("/dev/full", os.O_RDWR))
        except PermissionError:
            return True
        return False

    assert inside(tmp_path, act)
    os.close(os.open("/dev/full", os.O_RDWR))


def test_a_file_is_covered_only_inside(tmp_path: Path) -> None:
    scratch, target = tmp_path / "scratch", tmp_path / "library.so"
    scratch.mkdir()
    target.write_bytes(b"whole")

    def act(scene: Scene) -> bool:
        scene.cover(target, b"")
        return target.read_bytes() == b""

    assert inside(scratch, act)
    assert target.read_bytes() == b"whole"
    assert list(scratch.iterdir()) == []
