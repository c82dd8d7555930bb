"""Targets that cannot be looked at, or only in part: one clear line, or what is missing is said."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.test_cli import Run

as_root = pytest.mark.skipif(os.getuid() != 0, reason="other users, namespaces and roots need root")

AS_NOBODY = """
import os, sys
from codeblue.cli import check, options, output, site
from codeblue.sources import container, failures, launch, process, target
from codeblue.transport import inside, local
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    launch.launch(target.parse(sys.argv[1]), launch.Options(cwd="/"))
except target.Unusable as error:
    print(error.line.say("en"), error.line.say("zh"), sep="\\n")
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


def as_nobody(target: str, **environment: str) -> list[str]:
    """Return what a user without rights is told about a target, in English and Chinese."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, target],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.root
@as_root
@pytest.mark.skipif(shutil.which("docker") is None, reason="docker's client is asked")
def test_a_user_who_may_not_ask_docker(tmp_path: Path) -> None:
    for folder in [tmp_path, *tmp_path.parents[:-2]]:
        folder.chmod(folder.stat().st_mode | 0o111)
    path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as closed:
        closed.bind(str(path))
        closed.listen()
        path.chmod(0o600)
        en, zh = as_nobody("docker:trainer", DOCKER_HOST=f"unix://{path}", HOME="/")

    assert en.startswith("docker:trainer: this user may not ask docker (")
    assert en.endswith("run it with sudo")
    assert "当前用户无权访问 docker" in zh


@pytest.mark.root
@as_root
def test_what_only_root_may_look_at() -> None:
    assert as_nobody(f"pid:{os.getpid()}") == [
        f"pid:{os.getpid()}: only root can look into this process (its user is 0); run it with sudo",
        f"pid:{os.getpid()}：只有 root 能查看这个进程（其用户为 0）；请用 sudo 运行",
    ]
    assert as_nobody("chroot:/usr")[0] == "chroot:/usr: only root can enter it; run it with sudo"


def test_docker_that_does_not_run(run: Run, tmp_path: Path) -> None:
    if shutil.which("docker") is None:
        pytest.skip("docker's client is asked")
    run.environment["DOCKER_HOST"] = f"unix://{tmp_path}/none.sock"

    run.refused("check", "docker:trainer", says="docker cannot be reached")
    run.refused("check", "docker:trainer", "--lang", "zh", says="无法连接 docker")


def test_podman_without_such_a_container(run: Run) -> None:
    if shutil.which("podman") is None:
        pytest.skip("podman is asked")

    run.refused("snapshot", "podman:no-such-name", says="there is no such container; podman ps -a lists them")


def test_a_process_that_ends_in_the_middle(run: Run) -> None:
    # It ends while the probe is being started: before, in or after its first look at it.
    child = subprocess.Popen(["sleep", "60"])
    threading.Timer(0.3, child.kill).start()
    done = run("check", f"pid:{child.pid}", "--fast")
    child.wait()

    assert done.returncode in (0, 1, 2, 3)
    if done.returncode == 2:
        [line] = done.stderr.splitlines()
        assert line in (
            f"codeblue: pid:{child.pid}: there is no such process",
            f"codeblue: process {child.pid} has ended",
        )


LATE = """
import os, sys
from codeblue.cli.main import main
from codeblue.transport import local
start, pid = local.start, int(sys.argv[2].partition(":")[2])
def late(*arguments):
    os.kill(pid, 9)
    while os.path.exists("/proc/%d" % pid):
        pass
    return start(*arguments)
local.start = late
main()
"""
"""codeblue, slow to start the probe: the process has ended when it looks."""


@pytest.mark.parametrize(("lang", "line"), [("en", "process {} has ended"), ("zh", "进程 {} 已结束")])
def test_a_process_that_has_ended_when_the_probe_looks(run: Run, lang: str, line: str) -> None:
    child = subprocess.Popen(["sleep", "60"])
    threading.Thread(target=child.wait).start()
    done = subprocess.run(
        [sys.executable, "-c", LATE, "check", f"pid:{child.pid}", "--lang", lang],
        env=run.environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"codeblue: {line.format(child.pid)}\n"


@pytest.mark.root
@as_root
def test_a_thread_of_the_kernel_has_no_environment(run: Run) -> None:
    if Path("/proc/2/comm").read_text(encoding="ascii") != "kthreadd\n":
        pytest.skip("the kernel's threads are not seen from here")
    document = json.loads(run("check", "pid:2", "--fast", "--format", "json").stdout)

    assert any("runs no program" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "the working directory does not exist any more"), ("zh", "当前工作目录已不存在")],
)
def test_a_folder_that_has_been_removed(
    run: Run, command: list[str], tmp_path: Path, lang: str, words: str
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(folder), *command, "check", "--lang", lang],
        env=run.environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"codeblue: {words}")


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    none = tmp_path / "none"
    run.refused("check", f"file:{none}", "--lang", "zh", says=f"{none}：无法读取：没有这个文件或目录")
    run.refused("check", f"file:{tmp_path}", "--lang", "zh", says="这是一个目录")
    run.refused("check", "--config", str(none), "--lang", "zh", says="没有这个文件或目录")
    run.refused(
        "snapshot", "-o", f"{none}/x", "--lang", "zh", "--budget", "3", says="无法写入：没有这个文件或目录"
    )
    run.refused("check", "file:", says="unknown target")


@pytest.mark.root
@as_root
def test_another_root_without_proc_and_devices(run: Run, tmp_path: Path) -> None:
    if not Path("/usr/bin/python3").exists():
        pytest.skip("the system's Python is what runs in there")
    root, answer = tmp_path / "root", tmp_path / "answer.json"
    for folder in ("usr", "etc", "tmp"):
        (root / folder).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        if Path("/", name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")
    script = f'mount --rbind /usr {root}/usr && exec "$@"'
    command = [sys.executable, "-m", "codeblue", "snapshot", f"chroot:{root}", "-o", str(answer)]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *command], env=run.environment, capture_output=True
    )

    assert done.returncode == 0, done.stderr
    [view] = json.loads(answer.read_text(encoding="utf-8"))["views"]
    assert view["python"]["state"] == "read"
    for name, reason in (("driver", "/proc is not mounted"), ("pci", "/sys is not mounted")):
        assert (view[name]["state"], view[name]["reason"]) == ("error", f"Unread: {reason}")


@pytest.mark.root
@as_root
def test_another_root_for_another_machine(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "bin").symlink_to("usr/bin")
    # An ELF executable of 64 bits for AArch64 (183), or for x86-64 (62) if this machine is an AArch64.
    other = 62 if os.uname().machine == "aarch64" else 183
    python = root / "usr" / "bin" / "python3"
    python.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00" + bytes([other, 0]) + bytes(44))
    python.chmod(0o755)
    document = json.loads(run("check", f"chroot:{root}", "--format", "json", code=3).stdout)

    assert (document["verdict"], document["causes"]) == ("unknown", [])
    assert any(barrier["state"] == "unread" for barrier in document["barriers"])
