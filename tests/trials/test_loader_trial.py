"""The input trial, run for real on the processor, with real limits around it."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeblue.model.facts import LoaderTried
from codeblue.model.section import was_read
from codeblue.model.snapshot import View
from codeblue.sources.trial_text import worker
from tests.conftest import thorough
from tests.stuck import needs_fuse, stuck
from tests.trials.running import changed_torch, needs_torch, torch_python, tried
from tests.trials.spaces import told

pytestmark = needs_torch

as_root = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("unshare") is None, reason="needs root and unshare"
)
ROOM = 4 << 30
"""Bytes that must be free for the trial to write, with some to spare."""


def row(view: View) -> LoaderTried:
    """Return the one row of the trial."""
    [found] = view.loader_trial.devices.values()
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small files and a large one."""
    folder = tmp_path_factory.mktemp("data")
    for number in range(12):
        (folder / f"{number}.jpg").write_bytes(os.urandom(20000))
    (folder / "deep").mkdir()
    (folder / "deep" / "large.tar").write_bytes(os.urandom(6 << 20))
    return folder


@pytest.fixture(scope="module")
def view(data: Path) -> View:
    return tried("loader", options={"loader": {"paths": [str(data)]}})


def test_a_dataloader_feeds_with_and_without_workers(view: View) -> None:
    feeds = row(view).feeds

    assert {"0", "1", "2"} <= set(feeds["decode"])
    assert all(feed.error is None and feed.samples_per_second > 1 for feed in feeds["decode"].values())
    assert feeds["memory"]["0"].samples_per_second > feeds["decode"]["0"].samples_per_second
    assert feeds["decode"]["2"].mbs == pytest.approx(feeds["decode"]["2"].samples_per_second * 0.602112, 0.01)


def test_processors_are_counted_and_measured(view: View) -> None:
    processors = row(view).processors
    allowed = os.sched_getaffinity(0)

    assert processors.error is None
    assert (processors.allowed, processors.online) == (len(allowed), os.sysconf("SC_NPROCESSORS_ONLN"))
    assert 0.05 < processors.effective < 1.6 * len(allowed)
    assert processors.gpu_nodes == {}


def test_shared_memory_and_threads(view: View) -> None:
    assert row(view).shm.write_mbs > 10
    assert row(view).crowd.threads >= 1
    assert row(view).crowd.per_second_single > 0


def test_data_is_only_read(view: View, data: Path) -> None:
    storage = row(view).storage["data"]

    assert storage.files == 13
    assert storage.given_files["read"].count == 13
    assert was_read(storage, "given_read_mbs")
    assert not was_read(storage, "small_files")
    assert len(list(data.iterdir())) == 13


def test_the_working_directory_is_written_and_left_clean(tmp_path: Path) -> None:
    if shutil.disk_usage(tmp_path).free < ROOM:
        pytest.skip("the disk is nearly full")

    storage = row(tried("loader", cwd=str(tmp_path))).storage["cwd"]

    assert set(storage.small_files) == {"create", "stat", "read"}
    assert storage.write_mbs > 0 and storage.read_mbs > 0
    assert not list(tmp_path.iterdir())


@thorough
def test_a_folder_that_may_not_be_written_is_only_read(tmp_path: Path) -> None:
    nothing = tmp_path / "sys"
    nothing.symlink_to("/proc/self")

    storage = row(tried("loader", cwd="/proc")).storage["cwd"]

    assert storage.not_written is not None
    assert not was_read(storage, "write_mbs")


@thorough
def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    storage = row(tried("loader", options={"loader": {"paths": [str(tmp_path / "none")]}})).storage

    assert storage["data"].error is not None and "No such file" in storage["data"].error


@pytest.fixture
def one_processor() -> Iterator[int]:
    allowed = os.sched_getaffinity(0)
    chosen = max(allowed)
    os.sched_setaffinity(0, {chosen})
    yield chosen
    os.sched_setaffinity(0, allowed)


@thorough
def test_an_affinity_of_one_is_told(one_processor: int) -> None:
    found = row(tried("loader"))

    assert (found.processors.allowed, found.processors.mask) == (1, str(one_processor))
    assert found.processors.tried == 1
    assert found.processors.effective < 1.3
    assert set(found.feeds["decode"]) == {"0", "1", "2"}


@thorough
def test_thread_settings_are_told() -> None:
    found = row(tried("loader", environment={"OMP_NUM_THREADS": "1"}))

    assert found.processors.variables == {"OMP_NUM_THREADS": "1"}
    assert found.processors.torch_threads == 1
    assert found.crowd.threads == 1


DYING = """
import os, torch.utils.data
real = torch.utils.data._utils.worker._worker_loop
def loop(*arguments):
    os.kill(os.getpid(), 9)
torch.utils.data._utils.worker._worker_loop = loop
"""
SLOW = """
import builtins, time
real = builtins.open
def slow(path, *arguments, **named):
    if str(path).endswith(".jpg"):
        time.sleep(0.02)
    return real(path, *arguments, **named)
builtins.open = slow
"""
"""Files that take 20 ms to open, as on a busy file server."""


@thorough
def test_workers_that_are_killed_are_a_fact(tmp_path: Path) -> None:
    found = row(tried("loader", environment=changed_torch(tmp_path, DYING)))

    assert found.error is None
    assert found.feeds["decode"]["0"].error is None
    assert "DataLoader worker" in (found.feeds["decode"]["2"].error or "")
    assert was_read(found, "storage")


@thorough
def test_slow_small_files_are_measured(tmp_path: Path, data: Path) -> None:
    options = {"loader": {"paths": [str(data)]}}

    found = row(tried("loader", environment=changed_torch(tmp_path, SLOW), options=options))

    assert found.storage["data"].given_files["read"].p50_ms >= 20


@as_root
@pytest.mark.root
def test_a_tiny_shm_kills_the_workers_and_is_the_cause(tmp_path: Path) -> None:
    inside = 'mount -t tmpfs -o size=4m tmpfs /dev/shm && exec "$@"'

    machine = told(["unshare", "--mount", "sh", "-c", inside, "sh"], tmp_path)

    [found] = machine["loader_trial"]["devices"].values()
    errors = " ".join(feed.get("error") or "" for feed in found["feeds"]["decode"].values())
    assert "Bus error" in errors or "shared memory" in errors
    assert found["shm"]["total"] == 4 << 20
    assert "not_written" in found["shm"]


@thorough
@as_root
@pytest.mark.root
@needs_fuse
def test_a_file_system_that_does_not_answer_is_told_in_time(tmp_path: Path) -> None:
    dead = tmp_path / "dead"
    dead.mkdir()
    with stuck(dead) as mounted:
        started = time.monotonic()
        machine = told(
            [*mounted.inside(["env"]), f"DEAD={dead}", "sh", "-c", 'exec "$@" --path "$DEAD"', "sh"], tmp_path
        )

    [found] = machine["loader_trial"]["devices"].values()
    assert time.monotonic() - started < 120
    assert "no answer within" in found["storage"]["data"]["error"]
    assert found["storage"]["data"]["kind"] == "fuse"


@thorough
def test_too_few_open_files_are_the_cause(tmp_path: Path) -> None:
    machine = told(["sh", "-c", 'ulimit -S -n 18; exec "$@"', "sh"], tmp_path, code=1)

    [found] = machine["loader_trial"]["devices"].values()
    assert "Too many open files" in found["feeds"]["decode"]["2"]["error"]


GROUPS = (("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "50000"), ("/sys/fs/cgroup", "cpu.max", "50000 100000"))


@pytest.fixture
def half_a_processor() -> Iterator[str]:
    """A control group that gives half a processor; the file that says so."""
    for base, name, value in GROUPS:
        group = Path(base) / f"codeblue-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        if (group / name).exists():
            (group / name).write_text(value, encoding="utf-8")
            yield str(group / name)
            group.rmdir()
            return
        group.rmdir()
    pytest.skip("no control group for processors can be made here")


@thorough
@as_root
@pytest.mark.root
def test_a_quota_is_told_and_felt(half_a_processor: str, tmp_path: Path) -> None:
    enter = f'echo $$ > {Path(half_a_processor).parent}/cgroup.procs; exec "$@"'

    machine = told(["sh", "-c", enter, "sh"], tmp_path)

    [found] = machine["loader_trial"]["devices"].values()
    assert found["processors"]["quota"] == 0.5
    assert found["processors"]["quota_source"] == half_a_processor
    assert found["processors"]["effective"] < 1.2
    assert found["processors"]["throttled"] > 0


@thorough
def test_it_feeds_in_a_worker_whose_threads_are_at_work_already() -> None:
    """Threads of OpenMP do not live on in a fork: without care it waits for them for ever."""
    settings = {"device": "cpu", "index": 0, "small": True, "threads": 2}
    orders = [{"trial": "gpu"}, {"trial": "loader"}]
    argv = [str(torch_python()), "-c", worker(), json.dumps(settings | {"orders": orders})]

    done = subprocess.run(argv, capture_output=True, timeout=150, check=True)

    told = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    feeds = [answer["row"]["feeds"] for answer in told if "feeds" in answer.get("row", {})][-1]
    assert all("samples_per_second" in feed for rows in feeds.values() for feed in rows.values())
