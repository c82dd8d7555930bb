"""The target ``pid:N``: what may be named, and the way into the namespaces of a process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from codeblue.model.snapshot import Snapshot, View
from codeblue.pipeline import judge
from codeblue.sources.launch import Options, launch
from codeblue.sources.live import snapshots
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Unusable, parse
from codeblue.transport import local
from tests.conftest import recording

as_root = pytest.mark.skipif(os.getuid() != 0, reason="namespaces of others need root")


def look(pid: int, until: str = "plain") -> View:
    """Return what the probe sees of a process."""
    launched = launch(parse(f"pid:{pid}"), Options(until=until, cwd="/"))
    try:
        *_, whole = snapshots(launched, Signatures([]))
    finally:
        for probe in launched:
            local.end(probe.running)
    assert whole.machine is not None
    return whole.machine


@pytest.mark.parametrize("name", ["pid:", "pid:x", "pid:-1", "pid:0", "pid:1.5", "pid:²", "pid:99999999999"])
def test_what_is_no_number_is_refused(name: str) -> None:
    with pytest.raises(Unusable, match="not a process number"):
        parse(name)


def test_a_process_that_is_not_there_is_refused() -> None:
    child = subprocess.Popen(["true"])
    child.wait()

    with pytest.raises(Unusable, match="there is no such process"):
        parse(f"pid:{child.pid}")


def test_it_is_judged_as_its_own_user_only() -> None:
    with pytest.raises(Unusable, match="leave out --as-user"):
        launch(parse(f"pid:{os.getpid()}"), Options(as_user="root"))


@pytest.mark.root
@as_root
def test_another_users_process_needs_root() -> None:
    program = (
        "import os, sys\n"
        "from codeblue.sources.target import Unusable, parse\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        f"    parse('pid:{os.getpid()}')\n"
        "except Unusable as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == (
        f"pid:{os.getpid()}: only root can look into this process (its user is 0); run it with sudo\n"
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)  # noqa: S103
        yield Path(name)


def inside(top: int) -> int:
    """Return the number of the sleeper below this process, once it sleeps."""
    for _ in range(500):
        pid = str(top)
        with suppress(FileNotFoundError):  # the one that mounts has ended
            while children := Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
                pid = children[-1]
            if Path(f"/proc/{pid}/comm").read_text(encoding="ascii") == "sleep\n":
                return int(pid)
        time.sleep(0.01)
    raise AssertionError("it does not come to sleep")


@pytest.fixture
def lives_apart(folder: Path, request: pytest.FixtureRequest) -> Iterator[int]:
    """Start a process whose folder /srv is another one, with namespaces by parameter."""
    (folder / "random.py").write_text("", encoding="utf-8")
    script = f"mount --bind {folder} /srv && cd /srv && exec {request.param} sleep 60"
    environment = {"PATH": os.defpath, "CUDA_VISIBLE_DEVICES": "5"}
    child = subprocess.Popen(["unshare", "--mount", "sh", "-c", script], env=environment)
    lowest = child.pid
    try:
        lowest = inside(child.pid)
        yield lowest
    finally:
        for pid in (lowest, child.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        child.wait()


DROPPED = "setpriv --reuid 65534 --regid 65534 --groups 44 --bounding-set -all"
APART = {
    "mount": "env",
    "pid": "unshare --pid --fork --mount-proc --kill-child",
    "pid, but the /proc of the machine": "unshare --pid --fork --kill-child",
    "network and name": "unshare --net --uts --ipc",
    "user": "unshare --user --map-root-user",
    "user and mount": "unshare --user --map-root-user --mount",
    "another user": DROPPED,
}


@pytest.mark.root
@as_root
@pytest.mark.parametrize("lives_apart", APART.values(), ids=APART.keys(), indirect=True)
def test_the_probe_sees_the_files_of_the_process(lives_apart: int) -> None:
    view = look(lives_apart)

    assert view.process.apart is None
    assert "mnt" in view.process.namespaces
    assert view.process.command == "sleep"
    assert view.environment.variables == {"CUDA_VISIBLE_DEVICES": "5"}
    assert view.python.path[0] == "."
    assert view.python.shadows["random"] == "./random.py"


@pytest.mark.root
@as_root
@pytest.mark.parametrize("lives_apart", [DROPPED], indirect=True)
def test_no_more_rights_are_taken_along_than_the_process_has(lives_apart: int) -> None:
    program = "import os, sys; sys.stdin.read(); print('m:' + open('/proc/self/status').read())"
    enter = Path(local.__file__).with_name("enter.py")
    done = subprocess.run(
        [sys.executable, str(enter), "m:", str(lives_apart), "mnt", "-c", program],
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    rows = dict(row.split(":\t", 1) for row in done.stdout.splitlines() if ":\t" in row)

    assert rows["Uid"].split() == ["65534"] * 4
    assert rows["Groups"].split() == ["44"]
    assert {rows[name] for name in ("CapEff", "CapPrm", "CapBnd")} == {"0" * 16}
    assert rows["NoNewPrivs"] == "1"


@pytest.mark.root
@as_root
@pytest.mark.parametrize("lives_apart", ["env"], indirect=True)
def test_a_namespace_that_cannot_be_entered_is_said_in_one_line(lives_apart: int) -> None:
    enter = Path(local.__file__).with_name("enter.py")
    unable = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
    argv = [*unable, sys.executable, str(enter), "m:", str(lives_apart), "mnt", "-"]
    done = subprocess.run(argv, input="", capture_output=True, text=True, check=True)

    answer = json.loads(done.stdout.strip()[2:])
    assert answer["part"] == "error"
    assert "could not be entered: [Errno 1]" in answer["reason"]


def test_what_was_judged_from_outside_is_said() -> None:
    def notes(**process: Any) -> list[str]:
        section = {"state": "read", "namespaces": ["mnt", "pid"]} | process
        snapshot: Snapshot = recording("h200-healthy", process=section)
        return [note.say("en") for note in judge(snapshot).notes]

    assert any("other namespaces (mnt, pid)" in line for line in notes(apart="namespaces"))
    assert any("other rights" in line for line in notes(apart="user"))
    assert any("has ended" in line for line in notes(apart="no-program"))
    assert notes(apart=None) == notes(state="absent") == []
