"""Machines with very much of something: the answer comes within the budget and the memory stays small."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.probe.loading import document

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.getuid() != 0, reason="a private mount namespace needs root"),
]

BUDGET = 15
MOST = 150 << 10
"""Kilobytes that the largest process may take."""

SNAPSHOT = [sys.executable, "-m", "codeblue", "snapshot", f"python:{sys.executable}", "--budget", str(BUDGET)]


@pytest.fixture
def space() -> Iterator[Path]:
    """A folder whose large files do not outlive the test."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


MEASURED = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""
"""Starts a program and writes its peak of memory; started by a large process it would count that one."""


def snapshot(space: Path, *before: str, python: Path | None = None, **environment: str) -> dict[str, Any]:
    """Return the sections of a snapshot after these commands in a mount namespace of its own."""
    argv = [*SNAPSHOT[:4], f"python:{python or sys.executable}", *SNAPSHOT[5:]]
    script = " && ".join([*before, 'exec "$@"'])
    answer = space / "answer.json"
    peak = space / "peak"
    measured = [sys.executable, "-I", "-c", MEASURED, str(peak)]
    started = time.monotonic()
    with answer.open("wb") as stream:
        subprocess.run(
            [*measured, "unshare", "--mount", "sh", "-c", script, "sh", *argv],
            env=os.environ | environment,
            stdout=stream,
            check=True,
        )
    assert time.monotonic() - started < BUDGET * 2  # what stands before the snapshot takes time too
    assert int(peak.read_text()) < MOST
    [view] = json.loads(answer.read_bytes())["views"]
    sections: dict[str, Any] = view
    return sections


def repeated(path: Path, block: bytes, times: int, end: bytes = b"") -> Path:
    """Write a large file."""
    with path.open("wb") as stream:
        for _ in range(times):
            stream.write(block)
        stream.write(end)
    return path


@pytest.fixture
def dpkg_only() -> None:
    """These files are bound over the real ones."""
    if not Path("/var/lib/dpkg/status").exists():
        pytest.skip("no dpkg here")
    Path("/var/log/dpkg.log").touch()


@pytest.mark.usefixtures("dpkg_only")
def test_half_a_million_packages_and_a_history_of_hundreds_of_megabytes(space: Path) -> None:
    row = "Package: lib{0}\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.{0}\n\n"
    status = space / "status"
    with status.open("w", encoding="ascii") as stream:
        stream.writelines(row.format(number) for number in range(500_000))
        stream.write("Package: nvidia-driver-580\nStatus: install ok installed\nVersion: 580.1\n\n")
    today = time.strftime("%Y-%m-%d")
    noise = f"{today} 00:00:00 status half-configured libsomething:amd64 1.2.3-4\n".encode() * 16384
    last = f"{today} 00:00:01 upgrade nvidia-driver-580:amd64 580.0 580.1\n".encode()
    history = repeated(space / "dpkg.log", noise, 300, last)

    packages = snapshot(
        space,
        f"mount --bind {status} /var/lib/dpkg/status",
        f"mount --bind {history} /var/log/dpkg.log",
    )["packages"]

    assert packages["installed"]["nvidia-driver-580"]["version"] == "580.1"
    assert packages["changes"][-1]["new"] == "580.1"


def test_twenty_thousand_distributions(space: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(space / "env")], check=True)
    [site] = (space / "env" / "lib").glob("python3*/site-packages")
    for number in range(20_000):
        (site / f"package{number}-1.0.dist-info").mkdir()
    (site / "numpy-2.1.0.dist-info").mkdir()

    view = snapshot(space, python=space / "env" / "bin" / "python")

    assert view["python"]["distributions"]["numpy"]["version"] == "2.1.0"


MOUNTS = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in range(20000):
    folder = "%s/%d" % (sys.argv[1], number)
    os.mkdir(folder)
    if libc.mount(b"none", folder.encode(), b"tmpfs", 0, b"size=4k") != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
"""


def test_twenty_thousand_mounts(space: Path) -> None:
    script, top = space / "mounts.py", space / "top"
    script.write_text(MOUNTS, encoding="utf-8")
    top.mkdir()

    view = snapshot(space, f"mount -t tmpfs none {top}", f"{sys.executable} -I {script} {top}")

    assert {view[name]["state"] for name in ("filesystems", "nodes", "cgroup")} == {"read"}


def test_a_table_of_half_a_million_mounts(space: Path) -> None:
    folder = space / "proc" / "self"
    folder.mkdir(parents=True)
    (space / "tmp").mkdir()
    block = "".join(
        f"tmpfs /pods/{number:032x}/volumes/token tmpfs rw,relatime 0 0\n" for number in range(10_000)
    )
    table = repeated(
        folder / "mounts",
        b"/dev/vda / ext4 rw 0 0\n" + block.encode(),
        50,
        b"server:/share /tmp nfs4 rw 0 0\n",
    )
    assert table.stat().st_size > 30 << 20
    before = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MOST << 10}, {MOST << 10}))"

    section = document("filesystems", space, python=sys.executable, before=before)

    assert section["filesystems"]["/tmp"]["kind"] == "nfs4"
    assert section["filesystems"]["/"]["kind"] == "ext4"


SLEEPERS = """
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 5000; i++) { int pid = fork(); if (pid == 0) pause(); if (pid < 0) return 1; }
    write(1, "x", 1);
    pause();
}
"""


@pytest.fixture
def sleepers(space: Path) -> Iterator[None]:
    """Five thousand processes."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc builds small processes")
    code, program = space / "sleepers.c", space / "sleepers"
    code.write_text(SLEEPERS, encoding="utf-8")
    subprocess.run(["gcc", "-static", "-w", "-o", str(program), str(code)], check=True)
    with subprocess.Popen([str(program)], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        all_there = process.stdout.read(1)
        if all_there:
            yield
        os.killpg(process.pid, signal.SIGKILL)
    if not all_there:
        pytest.skip("not so many processes may be started here")


@pytest.mark.usefixtures("sleepers")
def test_five_thousand_processes(space: Path) -> None:
    view = snapshot(space)

    assert {view[name]["state"] for name in ("services", "clock", "host")} == {"read"}


def test_a_kernel_log_of_a_gigabyte(space: Path) -> None:
    # What is at the name of the ring buffer cannot be opened, so that the tool is asked.
    tool, closed = space / "dmesg", space / "socket"
    tool.write_text("#!/bin/sh\nyes '[ 1.0] NVRM: a line' | head -c 1000000000\n", encoding="utf-8")
    tool.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(closed))
        view = snapshot(space, f"mount --bind {closed} /dev/kmsg", PATH=f"{space}:{os.environ['PATH']}")

    log = view["kernel_log"]
    assert log["state"] == "timeout" or len(log["lines"]) == 200


def test_a_cache_of_the_loader_of_a_gigabyte(space: Path) -> None:
    cache = space / "ld.so.cache"
    shutil.copy("/etc/ld.so.cache", cache)
    os.truncate(cache, 1 << 30)

    view = snapshot(space, f"mount --bind {cache} /etc/ld.so.cache")

    assert view["loader"]["state"] == "read"
