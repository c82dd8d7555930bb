"""The programs of this machine, as they print today, are read rightly."""

import os
import platform
import resource
import shutil
import subprocess
from typing import Any

import msgspec
import pytest

from codeblue.sources.pasted import sections
from tests.pasted.test_readers import lines


def printed(command: str) -> Any:
    """Return the facts of a shell session in which the command is typed."""
    environment = {**os.environ, "LC_ALL": "C"}
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment).stdout
    return msgspec.to_builtins(sections(lines(f"$ {command}\n{shown}$ ")))


def test_id() -> None:
    user = printed("id")["user"]

    assert (user["uid"], user["gid"]) == (os.getuid(), os.getgid())
    assert set(user["groups"].values()) == {os.getgid(), *os.getgroups()}


@pytest.mark.parametrize("command", ["uname -r", "uname -a"])
def test_uname(command: str) -> None:
    assert printed(command)["host"]["kernel"] == platform.release()


@pytest.mark.parametrize("command", ["df /dev/shm", "df -h /dev/shm", "df -hT /dev/shm"])
def test_df(command: str) -> None:
    status = os.statvfs("/dev/shm")
    total = status.f_blocks * status.f_frsize

    shown = printed(command)["filesystems"]["filesystems"]["/dev/shm"]

    # -h rounds up to two digits.
    assert total * 0.95 <= shown["total"] <= total * 1.12


def test_ulimit() -> None:
    shown = printed("ulimit -a")["limits"]["limits"]

    for name, number in (("files", resource.RLIMIT_NOFILE), ("memlock", resource.RLIMIT_MEMLOCK)):
        soft = resource.getrlimit(number)[0]
        assert shown[name]["soft"] == (None if soft == resource.RLIM_INFINITY else soft)


@pytest.mark.skipif(not shutil.which("free"), reason="no procps here")
@pytest.mark.parametrize("command", ["free", "free -m", "free -h"])
def test_free(command: str) -> None:
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    assert printed(command)["host"]["memory_bytes"] == pytest.approx(total, rel=0.05)


def test_os_release() -> None:
    released = platform.freedesktop_os_release()

    assert printed("cat /etc/os-release")["host"]["distribution"] == released["ID"]


def test_environment() -> None:
    found = printed("export OMP_NUM_THREADS=3; export MY_API_TOKEN=abc; env")["environment"]["variables"]

    assert found["OMP_NUM_THREADS"] == "3"
    assert not any("TOKEN" in name for name in found)


@pytest.mark.skipif(not shutil.which("ldd"), reason="no ldd here")
def test_ldd() -> None:
    glibc = platform.libc_ver()[1]

    assert printed("ldd --version")["host"]["glibc"] == glibc


def test_modules() -> None:
    """Every machine has a list of modules; few have one that matters here."""
    found = printed("cat /proc/modules")

    assert set(found) <= {"modules"}
