"""A running process as the target, read by the shipped probe: real processes, every interpreter."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codeblue.model import facts
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures
from codeblue.sources.probe_text import program
from tests.probe.loading import document, interpreters, section, tree
from tests.probe.test_agent import answers

EVERY = pytest.mark.parametrize("python", interpreters().values(), ids=interpreters().keys())
as_root = pytest.mark.skipif(os.getuid() != 0, reason="other users and namespaces need root")
SLEEP = "import time; print('on', flush=True); time.sleep(60)"

Start = Callable[..., int]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program that prints a line once it is ready, and return its number."""
    running: list[subprocess.Popen[bytes]] = []

    def started(*argv: str, **how: Any) -> int:
        child = subprocess.Popen(argv or (sys.executable, "-c", SLEEP), stdout=subprocess.PIPE, **how)
        running.append(child)
        assert child.stdout is not None
        assert child.stdout.readline()
        return child.pid

    yield started
    for child in running:
        child.kill()
        child.wait()
        assert child.stdout is not None
        child.stdout.close()


def seen(pid: int, python: str = sys.executable, **config: Any) -> dict[str, Any]:
    """Return the sections of the whole probe of a process, all of which must decode."""
    [*_, answer] = answers(python, pid=pid, **({"until": "opens"} | config))
    assert answer["part"] == "final", answer
    view = view_of(answer, "pid", Signatures([]), 0)
    assert isinstance(view.process, facts.Process)
    assert view.process.state == "read", view.process.reason
    sections: dict[str, Any] = answer["sections"]
    return sections


@EVERY
def test_environment_limits_and_folder_are_those_of_the_process(
    python: str, start: Start, tmp_path: Path
) -> None:
    tree(tmp_path, {"torch.py": "", "train.py": SLEEP})

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (123, 456))

    environment = {"PATH": os.defpath, "CUDA_VISIBLE_DEVICES": "7", "SECRET": "s3cret"}
    pid = start(sys.executable, "train.py", "--token=s3cret", cwd=tmp_path, env=environment, preexec_fn=few)
    found = seen(pid, python)

    assert found["environment"]["variables"] == {"CUDA_VISIBLE_DEVICES": "7"}
    assert found["limits"]["limits"]["files"] == {"soft": 123, "hard": 456}
    assert set(found["limits"]["limits"]) == set(document("limits", "")["limits"])
    assert found["python"]["shadows"]["torch"] == "./torch.py"
    assert found["process"]["command"] == f"{Path(sys.executable).name} train.py"
    assert "s3cret" not in json.dumps(found)


def test_the_virtual_environment_of_the_process_is_found(start: Start, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    python = str(tmp_path / "env/bin/python")
    bare = {"PATH": f"{tmp_path}/env/bin:{os.defpath}"}

    for argv in (python, "-c", SLEEP), ("python", "-c", SLEEP):
        found = seen(start(*argv, env=bare))
        assert found["python"]["prefix"] == str(tmp_path / "env"), argv
        assert found["python"]["environment"] == "venv"


def test_a_program_that_is_no_python_gets_that_of_its_environment(start: Start, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    environment = {"PATH": os.defpath, "VIRTUAL_ENV": str(tmp_path / "env")}
    found = seen(start("sh", "-c", "echo on; sleep 60; :", env=environment))

    assert found["python"]["prefix"] == str(tmp_path / "env")
    assert found["process"]["command"] == "sh"


@EVERY
def test_what_the_process_has_mapped_and_opened(python: str, start: Start, tmp_path: Path) -> None:
    holds = """
import mmap, os, time
for name in ("libcuda.so.570.86.15", "libnvidia-ml.so.570.86.15", "libcudnn.so.9"):
    with open(name, "wb+") as stream:
        stream.write(b"x" * 4096)
        stream.flush()
        globals()[name] = mmap.mmap(stream.fileno(), 4096)
os.unlink("libcuda.so.570.86.15")
print("on", flush=True)
time.sleep(60)
"""
    pid = start(sys.executable, "-c", holds, cwd=tmp_path)
    process = seen(pid, python)["process"]

    assert process["deleted_libraries"] == [str(tmp_path / "libcuda.so.570.86.15")]
    assert process["libraries"]["libnvidia-ml.so.1"] == str(tmp_path / "libnvidia-ml.so.570.86.15")
    assert process["libraries"]["libcudnn.so.9"] == str(tmp_path / "libcudnn.so.9")
    assert "libcuda.so.1" not in process["libraries"]
    assert process["open_files"] == len(os.listdir(f"/proc/{pid}/fd"))
    assert process["nodes"] == []
    assert process["run_state"] == "S"
    assert process["threads"] == 1
    assert process["memory"] > 1 << 20
    assert 0 <= process["age"] < 60
    assert process["uninterruptible"] is False


def fake(root: Path, **files: str) -> Path:
    """Write a process 9 that waits in state D, with a GPU open."""
    status = "State:\tD (disk sleep)\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t0\nThreads:\t3\n"
    status += "VmLck:\t 16 kB\nCapEff:\t0000000000204000\nNoNewPrivs:\t1\nSeccomp:\t2\n"
    content = {
        "stat": "9 (a) b)) D " + " ".join(["0"] * 18) + " 100 0\n",
        "status": status,
        "limits": "Max cpu time              unlimited            unlimited            seconds\n"
        "Max open files            1024                 524288               files\n",
        "environ": "A=1\0=x\0noise\0B=2=3\0",
        "cwd": "->/",
        "exe": "->/usr/bin/python3.11 (deleted)",
        "cmdline": "python3\0-u\0-X\0dev\0-mtorch.distributed.run\0secret\0",
        "wchan": "rpc_wait_bit_killable",
        "maps": "",
        "fd/0": "->/dev/nvidia0",
        "fd/1": "->/dev/nvidiactl",
        "fd/2": "->/home/alice/secret",
    } | files
    return tree(root, {"/proc/uptime": "11.0 1\n"} | {f"/proc/9/{k}": v for k, v in content.items()})


@EVERY
def test_a_process_that_hangs_in_the_kernel(python: str, tmp_path: Path) -> None:
    process = section(facts.Process, fake(tmp_path), python=python, pid=9, namespaces=["net"])

    assert (process.run_state, process.uninterruptible) == ("D", True)
    assert process.waits_in == "rpc_wait_bit_killable"
    assert process.nodes == ["/dev/nvidia0", "/dev/nvidiactl"]
    assert process.command == "python3 -m torch.distributed.run"
    assert process.capabilities == ["sys_admin", "ipc_lock"]
    assert (process.seccomp, process.no_new_privs, process.memory_locked) == ("filter", True, 16384)
    assert process.namespaces == ["net"]
    assert process.age == pytest.approx(11 - 100 / os.sysconf("SC_CLK_TCK"))


def test_a_wait_that_ends_is_no_hanging(tmp_path: Path) -> None:
    before = (
        "import time\n"
        "def wake(seconds):\n"
        "    with open(files.ROOT + '/proc/9/stat', 'w') as stream:\n"
        "        stream.write('9 (a) S ' + ' '.join(['0'] * 18) + ' 100 0')\n"
        "time.sleep = wake\n"
    )

    assert section(facts.Process, fake(tmp_path), pid=9, before=before).uninterruptible is False


@pytest.mark.parametrize(
    ("cmdline", "told"),
    [
        ("/env/bin/python\0-c\0print('secret')\0", "python -c"),
        ("/env/bin/python\0/home/alice/run/train.py\0--key\0secret\0", "python train.py"),
        ("python\0-Wignore\0-um\0vllm\0secret\0", "python -m vllm"),
        ("ray::Worker(secret) for alice\0", "ray::Worker(secret)"),
        ("/opt/tritonserver\0--secret\0", "tritonserver"),
        ("postgres: secret db\0", "postgres:"),
    ],
)
def test_of_the_command_line_only_names_are_told(cmdline: str, told: str, tmp_path: Path) -> None:
    assert section(facts.Process, fake(tmp_path, cmdline=cmdline), pid=9).command == told


def test_a_number_that_another_process_got_is_gone(tmp_path: Path) -> None:
    reused = "open(files.ROOT + '/proc/9/stat', 'w').write('9 (a) S ' + ' '.join(['0'] * 18) + ' 777 0')\n"
    before = (
        f"real = reader.read\ndef late(context, sections):\n    {reused}    return real(context, sections)\n"
    )
    found = document("process", fake(tmp_path), pid=9, before=before + "reader.read = late\n")

    assert (found["state"], found["reason"]) == ("error", "Gone: process 9 is gone")


@EVERY
def test_a_process_that_has_gone_is_said_in_one_line(python: str) -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    [answer] = answers(python, pid=child.pid)

    assert answer == {"part": "error", "reason": f"process {child.pid} is gone"}


def test_a_process_that_ends_in_the_middle_leaves_its_facts_unread() -> None:
    child = subprocess.Popen(["sleep", "60"])
    reaper = threading.Thread(target=child.wait)
    reaper.start()
    before = (
        "import time\n"
        "def ends(process):\n"
        "    reader.os.kill(process.pid, 9)\n"
        "    while files.exists(process.folder):\n"
        "        time.sleep(0.01)\n"
        "    return process.arguments()\n"
        "reader._command = ends\n"
    )
    try:
        found = section(facts.Process, "", pid=child.pid, before=before)
    finally:
        child.kill()
        reaper.join()

    lost = {"command", "age", "uninterruptible", "waits_in", "open_files", "nodes", "libraries"}
    assert found.unread == dict.fromkeys(lost | {"deleted_libraries"}, "error")
    assert found.threads == 1


@EVERY
def test_a_zombie_is_read_and_nothing_is_tried_for_it(python: str) -> None:
    child = subprocess.Popen(["true"])
    try:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        found = seen(child.pid, python, until="frameworks")
    finally:
        child.wait()

    assert (found["process"]["run_state"], found["process"]["apart"]) == ("Z", "no-program")
    unread = ("environment", "python", "torch", "loader", "nodes", "cuda", "torch_trial")
    assert {found[name]["state"] for name in unread} <= {"error", "not-attempted"}
    assert found["host"]["state"] == "read"


@pytest.mark.root
@as_root
@EVERY
def test_another_user_is_judged_with_its_groups_and_limits(python: str, start: Start) -> None:
    how = {"user": 65534, "group": 65534, "extra_groups": [44, 4242]}
    pid = start(
        "sh", "-c", "ulimit -v 4000000; echo on; sleep 60; :", cwd="/", env={"PATH": os.defpath}, **how
    )
    found = seen(pid, python)

    user = found["user"]
    assert (user["uid"], user["judged_as"]) == (65534, "pid")
    assert sorted(user["groups"].values()) == [44, 4242, 65534]
    assert found["limits"]["limits"]["address_space"]["soft"] == 4000000 << 10
    assert not found["filesystems"]["filesystems"]["/"]["writable"]


@pytest.mark.root
@as_root
def test_children_get_user_groups_limits_and_environment(start: Start) -> None:
    """What the probe starts for the process is what the process would start itself."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # noqa: S103
        script = Path(folder, "python3")
        script.write_text(f"#!/bin/sh\n(id -u; id -G; ulimit -n; echo $MARK) > {folder}/told\nexit 1\n")
        script.chmod(0o755)
        environment = {"PATH": f"{folder}:{os.defpath}", "MARK": "mine"}
        how: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": [44], "env": environment}
        seen(start("sh", "-c", "ulimit -n 77; echo on; sleep 60; :", cwd="/", **how))
        told = Path(folder, "told").read_text(encoding="utf-8")

    assert told.split() == ["65534", "65534", "44", "77", "mine"]


@pytest.mark.root
@as_root
def test_without_root_other_groups_are_not_pretended(start: Start) -> None:
    pid = start("sh", "-c", "echo on; sleep 60; :", cwd="/", user=65534, group=65534, extra_groups=[44])
    drop = (
        "import os; os.setgroups([]); os.setgid(65534); os.setuid(65534); os.chdir('/');"
        "os.execv('/usr/bin/python3', ['/usr/bin/python3', '-I', '-S', '-B', '-'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", drop],
        input=program({"marker": "m:", "pid": pid, "until": "opens"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found = json.loads(done.stdout.splitlines()[-1][2:])["sections"]

    assert found["process"]["apart"] == "user"
    assert found["nodes"]["state"] == "not-attempted"
    assert 44 in found["user"]["groups"].values()
    assert found["limits"]["state"] == "read"


def test_three_hundred_processes_do_not_slow_the_services(start: Start) -> None:
    pid = start("sh", "-c", "for n in $(seq 300); do sleep 60 & done; echo on; wait", start_new_session=True)
    try:
        began = time.monotonic()
        found = document("services", "")
        assert time.monotonic() - began < 20  # the sleeps take 60
    finally:
        os.killpg(pid, signal.SIGKILL)
    assert found["state"] == "read"
