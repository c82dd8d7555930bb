"""Targets behind an argv prefix: another root, and engines that refuse (needs root for chroot)."""

import json
import os
from pathlib import Path

import pytest

from codeblue.transport import inside
from tests.test_cli import Run

as_root = pytest.mark.skipif(os.getuid() != 0, reason="chroot needs root")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


@pytest.mark.root
@as_root
def test_another_root_with_an_interpreter_is_looked_at_from_inside(run: Run) -> None:
    document = json.loads(run("check", "chroot:/", "--format", "json").stdout)

    states = {barrier["layer"]: barrier["state"] for barrier in document["barriers"]}
    assert states["python"] == "open"


@pytest.mark.root
@as_root
def test_a_folder_without_an_interpreter_is_looked_at_from_outside(run: Run, tmp_path: Path) -> None:
    libraries = tmp_path / "root" / "usr" / "lib" / "x86_64-linux-gnu"
    libraries.mkdir(parents=True)
    (libraries / "libcuda.so.550.54.15").write_bytes(b"\x7fELF" + bytes(100))
    (libraries / "libcuda.so.1").symlink_to("libcuda.so.550.54.15")
    menu = tmp_path / "root" / "boot" / "grub" / "grub.cfg"
    menu.parent.mkdir(parents=True)
    menu.write_text("menuentry 'Linux' {\n\tlinux /boot/vmlinuz-6.1.0-50-amd64 nomodeset\n}\n")
    (tmp_path / "root/lib/modules/6.1.0-50-amd64").mkdir(parents=True)
    snapshot = tmp_path / "root.json"

    run.environment["LD_LIBRARY_PATH"] = "/opt/ours"
    run("snapshot", f"chroot:{tmp_path / 'root'}", "-o", str(snapshot), code=0)

    [view] = json.loads(snapshot.read_text(encoding="utf-8"))["views"]
    assert view["driver_files"]["state"] == "read"
    assert "550.54.15" in json.dumps(view["driver_files"])
    assert (view["next_boot"]["kernel"], view["next_boot"]["parameters"]) == ("6.1.0-50-amd64", ["nomodeset"])
    assert view["loader"]["search_path"] == [], "the variables of our shell are not those of the folder"
    assert view["host"]["unread"]["glibc"] == "unsupported"
    assert view["cuda"] == view["cuda"] | {"state": "unsupported", "reason": "seen from outside"}
    run("check", f"chroot:{tmp_path / 'root'}", code=3)


def test_targets_that_cannot_be_used_are_one_line(run: Run, tmp_path: Path) -> None:
    run.refused("check", f"chroot:{tmp_path / 'none'}", says="no such folder")
    run.refused("check", "docker:", says="unknown target")


def test_an_engine_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(inside.Refused, match="docker is not installed"):
        inside.container("docker", "trainer")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Error: No such container: x\n", "No such container: x"),
        ("Error response from daemon: permission denied\n", "permission denied"),
        ("warning\nCannot connect to the Docker daemon\n", "Cannot connect to the Docker daemon"),
    ],
)
def test_the_engines_own_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, reason: str
) -> None:
    engine = tmp_path / "docker"
    engine.write_text(f"#!/bin/sh\nprintf '%s' '{words}' >&2\nexit 1\n", encoding="utf-8")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with pytest.raises(inside.Refused) as refused:
        inside.container("docker", "x")

    assert str(refused.value) == reason


def test_an_engine_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    engine = tmp_path / "podman"
    engine.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(inside, "SECONDS", 0.3)

    with pytest.raises(inside.Refused, match="no answer within"):
        inside.container("podman", "x")
