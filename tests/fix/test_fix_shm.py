"""``codeblue fix`` as root, for another user: /dev/shm of a private mount namespace."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.fix.child import NOBODY, in_child, leave_mounts
from tests.test_cli import Run

pytestmark = pytest.mark.root

FAULT = "shm-permissions"
SHM = Path("/dev/shm")


def closed() -> None:
    """Give this process a /dev/shm of its own that only root may use."""
    leave_mounts()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0700", "none", str(SHM)], check=True)


def mode() -> int:
    """Return its permission bits."""
    return stat.S_IMODE(SHM.stat().st_mode)


def approved(run: Run, folder: Path) -> tuple[str, ...]:
    """Plan for nobody and approve that; return the options that apply it."""
    plan, approval = folder / "plan.json", folder / "ok.toml"
    run("fix", FAULT, "--as-user", "nobody", "--plan", str(plan), code=0)
    digest = json.loads(plan.read_bytes())["digest"]
    approval.write_text(f'plan = "{digest}"\nowner = "ops"\nuntil = 2099-12-31\n', encoding="ascii")
    return "--plan", str(plan), "--approval", str(approval), "--apply"


def as_nobody(python: str, environment: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """Run an interpreter as a user without rights, and without a terminal; it finds what this one finds."""
    return subprocess.run(
        [python, *words],
        env=environment | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd="/",
        timeout=120,
        check=False,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
    )


def readable(python: str) -> bool:
    """Return whether codeblue can be run by others with this interpreter."""
    try:
        return as_nobody(python, dict(os.environ), "-c", "import codeblue, msgspec, click").returncode == 0
    except OSError:
        return False


def test_opened_and_closed_again(tmp_path: Path) -> None:
    def work() -> None:
        closed()
        run = Run(tmp_path / "state")
        options = approved(run, tmp_path)
        assert mode() == 0o700, "a plan changes nothing"
        done = run("fix", "--as-user", "nobody", *options, code=0)
        assert f"{FAULT}: fixed" in done.stdout and mode() == 0o1777
        again = run("fix", "--as-user", "nobody", FAULT, code=0).stdout
        assert "the last check did not find it here" in again
        assert "已撤销" in run("--lang", "zh", "undo", code=0).stdout and mode() == 0o700
        run.refused("undo", says="nothing that codeblue changed")

    in_child(work)


def test_a_user_without_the_rights_is_told(tmp_path: Path) -> None:
    def work() -> None:
        closed()
        run = Run(Path(folder) / "state")
        run.environment["HOME"] = folder
        for lang, says in (("en", "needs root; run it with sudo"), ("zh", "需要 root；请用 sudo 运行")):
            words = ("-m", "codeblue", "--lang", lang, "fix", FAULT, "--apply")
            done = as_nobody(python, run.environment, *words)
            assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stdout + done.stderr
            assert says in done.stderr
        assert mode() == 0o700

    python = next((one for one in (sys.executable, "/usr/bin/python3") if readable(one)), "")
    if not python:
        pytest.skip("other users may not read this installation")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are root's alone
        os.chown(folder, NOBODY, NOBODY)
        in_child(work)
