"""A directory service (LDAP, SSSD) that does not answer: names are missing, nothing else."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.getuid() != 0, reason="another nsswitch.conf needs a private mount namespace"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc builds the service's module"),
]

HANGING = """
#include <unistd.h>
static int hang(void) { for (;;) pause(); }
int _nss_dead_setpwent() { return hang(); }
int _nss_dead_getpwent_r() { return hang(); }
int _nss_dead_getpwnam_r() { return hang(); }
int _nss_dead_getpwuid_r() { return hang(); }
int _nss_dead_getgrgid_r() { return hang(); }
int _nss_dead_initgroups_dyn() { return hang(); }
"""


def run(tmp_path: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a verb on a machine whose directory service is dead."""
    code, settings = tmp_path / "dead.c", tmp_path / "nsswitch.conf"
    code.write_text(HANGING, encoding="utf-8")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-w", "-o", str(tmp_path / "libnss_dead.so.2"), str(code)], check=True
    )
    settings.write_text("passwd: files dead\ngroup: files dead\nhosts: files\n", encoding="utf-8")
    script = f'mount --bind {settings} /etc/nsswitch.conf && exec "$@"'
    started = time.monotonic()
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", sys.executable, "-m", "codeblue", *words],
        env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert time.monotonic() - started < 20
    return done


def test_only_names_are_missing(tmp_path: Path) -> None:
    done = run(tmp_path, "snapshot", f"python:{sys.executable}", "--budget", "6")

    assert done.returncode == 0, done.stderr
    [view] = json.loads(done.stdout)["views"]
    assert {view[name]["state"] for name in ("host", "python", "filesystems", "user")} == {"read"}


def test_a_user_who_is_known_only_there_cannot_be_judged(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--fast", "--as-user", "alice")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "codeblue: --as-user alice: the directory service (LDAP, SSSD) does not answer; try a local user\n"
    )
