"""Runs on disk: killed collectors, damaged files, full disks, several at once, and object stores."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.synthetic import replies, run_of
from codeblue.cli.fleet.kept import opened
from codeblue.fleet import store as stores
from codeblue.fleet.store import Store
from codeblue.model.fleet import NodeState, Reply
from codeblue.sources.site import Loaded
from codeblue.sources.target import Unusable
from tests.fleet.cli import codeblue
from tests.fleet.kept import keep, verdicts


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep ten nodes a file."""
    monkeypatch.setattr(stores, "BATCH", 10)


@pytest.mark.usefixtures("small_batches")
def test_an_engine_that_dies_leaves_what_had_come(tmp_path: Path) -> None:
    run, store = run_of(50), Store(tmp_path)
    store.begin(run)

    def dying() -> Iterator[Reply]:
        for number, reply in enumerate(replies(run)):
            if number == 27:
                raise RuntimeError("killed")
            yield reply

    with pytest.raises(RuntimeError):
        list(store.add(run, dying()))

    again = Store(tmp_path)
    assert [node.name for node in again.nodes(run)] == [f"gpu{n:05}" for n in range(1, 28)]
    assert len(verdicts(again, run)) == 27


@pytest.mark.usefixtures("small_batches")
def test_a_node_that_was_asked_again_counts_once_with_its_last_reply(tmp_path: Path) -> None:
    run, store = run_of(12), Store(tmp_path)
    store.begin(run)
    answers = list(replies(run))
    silent = [Reply(node=one.node, state=NodeState.SILENT, why="hangs") for one in answers]
    list(store.add(run, [*answers[:3], *silent[3:]]))
    list(Store(tmp_path).add(run, answers[3:]))

    found = verdicts(Store(tmp_path), run)

    assert [node.state.value for node in found.values()] == ["answered"] * 12
    assert store.answered(run) == 12


def test_a_slow_fleet_is_kept_as_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "AFTER", 0.0)
    run, store = run_of(6), Store(tmp_path)
    store.begin(run)
    coming = store.add(run, replies(run))

    next(coming)

    assert Store(tmp_path).answered(run) == 1
    assert [reply.node for reply in coming] == [f"gpu{n:05}" for n in range(2, 7)]


@pytest.mark.usefixtures("small_batches")
def test_equal_sections_are_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep(store, 20, name="1")
    first = sum(path.stat().st_size for path in (tmp_path / "sections").iterdir())

    keep(Store(tmp_path), 20, name="2")

    assert sum(path.stat().st_size for path in (tmp_path / "sections").iterdir()) == first


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("damage", ["cut", "zeros", "empty"])
def test_a_damaged_file_of_nodes_costs_only_its_nodes(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path)
    run = keep(store, 30)
    broken = sorted((tmp_path / run.id).glob("nodes-*"))[1]
    _damage(broken, damage)

    again = Store(tmp_path)
    found = verdicts(again, run)

    assert list(found) == [f"gpu{n:05}" for n in (*range(1, 11), *range(21, 31))]
    assert list(again.damaged) == [f"{run.id}/{broken.name}"]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("damage", ["cut", "zeros", "empty"])
def test_a_damaged_file_of_contents_leaves_the_rest_and_no_false_health(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path)
    run = keep(store, 30)
    broken = sorted((tmp_path / "sections").glob("*.parquet"))[0]
    _damage(broken, damage)

    again = Store(tmp_path)
    found = verdicts(again, run)

    assert len(found) == 30
    assert {node.verdict for node in found.values()} == {"unknown"}
    assert list(again.damaged) == [f"sections/{broken.name}"]


def _damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    middle = len(content) // 2
    changed = {
        "cut": content[:middle],
        "zeros": content[:4] + bytes(middle) + content[4 + middle :],
        "empty": b"",
    }
    path.write_bytes(changed[how])


@pytest.mark.usefixtures("small_batches")
def test_a_report_names_the_file_that_is_damaged(tmp_path: Path) -> None:
    run = keep(Store(tmp_path), 30)
    broken = sorted((tmp_path / run.id).glob("nodes-*"))[1]
    _damage(broken, "cut")

    done = codeblue("fleet", "report", "last", "--store", str(tmp_path))

    assert (done.code, "20" in done.text, len(done.words.splitlines())) == (0, True, 1)
    assert f"{run.id}/{broken.name}: damaged" in done.words


def test_leftovers_of_a_killed_collector_are_no_files_of_the_run(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = keep(store, 5)
    (tmp_path / run.id / ".abc.part").write_bytes(b"PAR1half")
    (tmp_path / "half").mkdir()

    again = Store(tmp_path)

    assert (again.runs(), len(verdicts(again, run)), again.damaged) == ([run.id], 5, {})


def test_a_damaged_description_of_a_run_is_one_line(tmp_path: Path) -> None:
    run = keep(Store(tmp_path), 5)
    (tmp_path / run.id / "run.json").write_bytes(b'{"id": "2026')

    done = codeblue("fleet", "report", "last", "--store", str(tmp_path))

    assert (done.code, done.text, len(done.words.splitlines())) == (2, "", 1)


@pytest.mark.usefixtures("small_batches")
def test_two_collectors_on_one_run_lose_nothing(tmp_path: Path) -> None:
    run = run_of(40)
    one, other = Store(tmp_path), Store(tmp_path)
    one.begin(run)
    answers = list(replies(run))
    first, second = one.add(run, answers[:20]), other.add(run, answers[20:])

    for _ in range(20):
        next(first), next(second)
    assert next(first, None) is next(second, None) is None

    assert len(verdicts(Store(tmp_path), run)) == 40


def test_an_object_store_is_a_place_like_any_other() -> None:
    store = Store("memory://fleet-test/runs")
    run = keep(store, 12)
    again = Store("memory://fleet-test/runs")

    database, [(_, nodes)] = opened(again, [again.run("last")], Loaded())

    assert {node.verdict for node in nodes} == {"healthy"}
    [(count,)] = database.execute(
        "select count(distinct node) from facts where path = 'host.kernel'"
    ).fetchall()
    assert (count, again.runs()) == (12, [run.id])


@pytest.mark.parametrize("place", ["nothing://x/y", "/proc/nothing/here"])
def test_a_place_that_cannot_be_used_is_one_line(place: str) -> None:
    done = codeblue("fleet", "check", "--ssh", "nobody.invalid", "--store", place)

    assert (done.code, done.text, len(done.words.splitlines())) == (2, "", 1)


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mounts a small file system")
def test_a_full_disk_keeps_what_was_there_and_says_so(tmp_path: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(tmp_path)], check=True)
    try:
        run, store = run_of(2000), Store(tmp_path)
        store.begin(run)
        with pytest.raises(Unusable) as full:
            list(store.add(run, replies(run, different=True)))
        again = Store(tmp_path)
        kept = list(again.nodes(run))

        assert "cannot be written" in full.value.line.say("en") and "无法写入" in full.value.line.say("zh")
        assert 0 <= len(kept) < 2000 and len(kept) % 500 == 0
        assert again.damaged == {}
        assert not list(tmp_path.rglob(".*.part"))
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
