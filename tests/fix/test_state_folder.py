"""The folder of the journal: where it is, and for whom."""

import os
import stat
from pathlib import Path

import pytest

from codeblue import state
from codeblue.model.plan import Refused
from codeblue.remedy import retention, store
from tests.fix.child import NOBODY, become_nobody, in_child
from tests.fix.executing import Bench, filled, write, write_new


def others(folder: Path) -> list[Path]:
    """Return what somebody else may read or write."""
    return [path for path in (folder, *folder.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.mark.root
def test_root_s_is_the_system_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert store.directory() == Path("/var/lib/codeblue")
    monkeypatch.setattr(state, "SYSTEM", tmp_path / "var" / "codeblue")
    bench = Bench(store.directory())
    with store.alone(bench.folder):
        bench.apply([write(filled(tmp_path / "place"))])

    assert bench.folder == tmp_path / "var" / "codeblue"
    assert {path.name for path in bench.folder.iterdir()} == {"before", "journal.jsonl", "lock"}
    assert others(bench.folder) == []


def test_a_user_s_is_in_the_state_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        if os.geteuid() == 0:
            become_nobody()
        assert store.directory() == Path("/home/me/.local/state/codeblue")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    in_child(work)


def test_a_folder_that_was_opened_to_others_is_closed_again(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)

    store.prepare(tmp_path / "state")

    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


@pytest.mark.root
def test_root_follows_nobody_s_link(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir(mode=0o755)
    link = tmp_path / "state"
    link.symlink_to(tmp_path / "etc")
    os.lchown(link, NOBODY, NOBODY)

    with pytest.raises(Refused) as refused:
        store.prepare(link)

    assert "belongs to another user" in str(refused.value)
    assert stat.S_IMODE((tmp_path / "etc").stat().st_mode) == 0o755


def test_images_go_with_their_time_and_undo_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    place, bench = filled(tmp_path / "place"), Bench(tmp_path / "state" / "codeblue")
    bench.apply([write(place), write_new(place)])

    assert retention.tidy(bench.journal, bench.kept, days=90) == 0
    assert retention.tidy(bench.journal, bench.kept, days=-1) == 1
    [(_, new), (_, old)] = bench.executor.undo(bench.last())

    assert new is None and not (place / "a").exists()
    assert old is not None and "gone or damaged" in old.say("en")
    assert (place / "x.list").read_bytes() == b"new\n"


def test_half_an_image_is_swept(tmp_path: Path) -> None:
    store.prepare(tmp_path)
    kept = store.Kept(tmp_path)
    digest = kept.put(b"whole")
    (tmp_path / "before" / f"{digest[:-1]}x.4711").write_bytes(b"ha")

    kept.sweep()

    assert [path.name for path in (tmp_path / "before").iterdir()] == [digest]
