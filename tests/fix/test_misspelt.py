"""A misspelt variable: the right name comes where the wrong one was, and undo brings every byte back."""

import json
import sys
from pathlib import Path

import pytest

from tests.fix.kept import tree
from tests.test_cli import Run

FAULT = "env-name-misspelt"
WRONG, RIGHT = "NCCL_SOCKET_IFNAM", "NCCL_SOCKET_IFNAME"
ON = ("--on", f"python:{sys.executable}")
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
BASHRC = f"# mine\nalias ll='ls -l'\nexport {WRONG}=eth0,eth1  # see the wiki\nexport LANG=C\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with start files."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".profile").write_text("umask 022\n", encoding="ascii")
    return folder


def applied(home: Path, tmp_path: Path) -> Run:
    """Plan, approve and apply in a shell that has the wrong name; return codeblue as it was called."""
    run = Run(tmp_path / "state")
    run.environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(tmp_path), "SHELL": "/bin/bash"}
    run.environment |= {WRONG: "eth0,eth1"}
    plan, approval = tmp_path / "plan.json", tmp_path / "ok.toml"
    run("fix", FAULT, *ON, "--plan", str(plan), code=0)
    digest = json.loads(plan.read_bytes())["digest"]
    approval.write_text(APPROVAL.format(plan=digest), encoding="ascii")
    done = run("fix", *ON, "--plan", str(plan), "--approval", str(approval), "--apply", code=0)
    assert f"{FAULT}: fixed" in done.stdout
    return run


def test_it_is_renamed_in_its_file_and_back(home: Path, tmp_path: Path) -> None:
    (home / ".bashrc").write_text(BASHRC, encoding="ascii")
    old = tree(home)

    run = applied(home, tmp_path)

    lines = (home / ".bashrc").read_text(encoding="ascii").splitlines()
    assert f"export {RIGHT}=eth0,eth1" in lines
    assert not any(f"{WRONG}=" in line for line in lines)
    assert (home / ".profile").read_text(encoding="ascii") == "umask 022\n"
    run("undo", code=0)
    assert tree(home) == old


def test_one_that_no_file_sets_leaves_the_right_one_in_the_login_file(home: Path, tmp_path: Path) -> None:
    old = tree(home)

    run = applied(home, tmp_path)

    assert f"export {RIGHT}=eth0,eth1" in (home / ".profile").read_text(encoding="ascii").splitlines()
    run("undo", code=0)
    assert tree(home) == old
