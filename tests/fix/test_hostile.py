"""Targets that are not what a plan expects: refused with one line, and nothing is changed."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from codeblue.model.plan import Refused
from codeblue.remedy.files import protocol, renaming, swapping
from codeblue.remedy.files.place import LARGEST, digest
from codeblue.remedy.verbs.file_edit import FileEdit
from codeblue.remedy.verbs.file_mode import FILES, NODES, ModeVerb
from codeblue.remedy.verbs.file_owner import FileOwner
from codeblue.remedy.verbs.file_rename import FileRename
from codeblue.remedy.verbs.file_write import FileWrite
from tests.fix.child import NOBODY, become_nobody, in_child
from tests.fix.kept import NAME, Folder, entry, tree

WRITE = FileWrite()


def refusal(work: Callable[[], object]) -> str:
    """Return the line of the refusal; it is one line in both languages, and says something in each."""
    with pytest.raises(Refused) as caught:
        work()
    lines = [caught.value.line.say(lang) for lang in ("en", "zh")]
    assert all(line and "\n" not in line for line in lines)
    assert lines[0] != lines[1]
    return lines[0]


def write(path: Path, keep: Folder, content: str = "new\n") -> None:
    """Look and apply, as the executor does."""
    args = {"path": str(path), "content": content}
    WRITE.apply(args, WRITE.look(args).before, NAME, keep)


def test_a_symbolic_link_stays_and_its_target_changes(place: Path, keep: Folder) -> None:
    target = place / "target"
    target.write_text("old\n", encoding="ascii")
    link = place / "link"
    link.symlink_to("target")
    write(link, keep)
    assert link.is_symlink()
    assert target.read_text(encoding="ascii") == "new\n"


def test_links_in_a_circle(place: Path, keep: Folder) -> None:
    (place / "a").symlink_to("b")
    (place / "b").symlink_to("a")
    refusal(lambda: write(place / "a", keep))


def test_hard_links(place: Path, keep: Folder) -> None:
    one = place / "one"
    one.write_text("old\n", encoding="ascii")
    os.link(one, place / "two")
    before = tree(place)
    assert "2 names" in refusal(lambda: write(one, keep))
    assert tree(place) == before


@pytest.mark.parametrize("kind", ["directory", "fifo", "socket"])
def test_what_is_no_file(kind: str, place: Path, keep: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    path = place / "x"
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        monkeypatch.chdir(place)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("x")
    before = tree(place)
    assert "not a file" in refusal(lambda: write(path, keep))
    assert tree(place) == before


def test_a_node_is_never_opened(keep: Folder) -> None:
    assert "device node" in refusal(lambda: write(Path("/dev/null"), keep))


def test_a_large_file(place: Path, keep: Folder) -> None:
    path = place / "log"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    assert "larger" in refusal(lambda: write(path, keep))


@pytest.mark.parametrize("path", ["", "relative", "/nul\0in", "/proc/self/mounts/x"])
def test_paths_that_name_no_file(path: str, keep: Folder) -> None:
    refusal(lambda: WRITE.apply({"path": path, "content": ""}, {"files": "[]"}, NAME, keep))


def test_a_change_since_the_preview(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_text("old\n", encoding="ascii")
    args = {"path": str(path), "content": "new\n"}
    before = WRITE.look(args).before
    path.write_text("other\n", encoding="ascii")
    assert "since the preview" in refusal(lambda: WRITE.apply(args, before, NAME, keep))
    assert path.read_text(encoding="ascii") == "other\n"


def test_a_change_since_the_repair_is_not_undone(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_text("old\n", encoding="ascii")
    args = {"path": str(path), "content": "new\n"}
    before = WRITE.apply(args, WRITE.look(args).before, NAME, keep)
    path.write_text("other\n", encoding="ascii")
    assert "by hand" in refusal(lambda: WRITE.back(args, before, NAME, keep))
    assert path.read_text(encoding="ascii") == "other\n"


def test_a_directory_that_others_use_by_now_stays(place: Path, keep: Folder) -> None:
    args = {"path": str(place / "a" / "b" / "x"), "content": "new\n"}
    before = WRITE.apply(args, WRITE.look(args).before, NAME, keep)
    (place / "a" / "of-others").touch()
    WRITE.back(args, before, NAME, keep)
    assert sorted(tree(place)) == ["a", "a/of-others"]


def test_a_file_that_is_open_for_writing(place: Path, keep: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeblue.remedy.files.swapping.WRITERS_MAY_TAKE", 0.05)
    path = place / "x"
    path.write_text("old\n", encoding="ascii")
    with path.open("a", encoding="ascii") as writer:
        assert "open for writing" in refusal(lambda: write(path, keep))
        writer.write("more\n")
    assert path.read_text(encoding="ascii") == "old\nmore\n"
    assert list(tree(place)) == ["x"]


def test_a_writer_that_replaces_the_file_in_the_last_moment(
    place: Path, keep: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place / "x"
    path.write_text("old\n", encoding="ascii")
    other = ["foreign\n"]

    def exchange(directory: int, one: str, two: str) -> None:
        if other:
            (place / "y").write_text(other.pop(), encoding="ascii")
            (place / "y").replace(path)
        renaming.exchange(directory, one, two)

    monkeypatch.setattr(swapping, "exchange", exchange)
    assert "changed it since" in refusal(lambda: write(path, keep))
    assert path.read_text(encoding="ascii") == "foreign\n"
    assert list(tree(place)) == ["x"]


def test_rename_never_overwrites(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_text("one\n", encoding="ascii")
    verb, args = FileRename(), {"path": str(path)}
    before = verb.look(args).before
    (place / "x.away").write_text("other\n", encoding="ascii")
    seen = tree(place)
    refusal(lambda: verb.apply(args, before, NAME, keep))
    refusal(lambda: verb.look(args))
    assert tree(place) == seen


def test_mode_of_a_thing_that_was_replaced(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.touch(0o600)
    verb, args = ModeVerb(FILES), {"path": str(path), "mode": "0644"}
    before = verb.look(args).before
    path.rename(place / "y")
    path.touch(0o600)
    assert "since the preview" in refusal(lambda: verb.apply(args, before, NAME, keep))
    refusal(lambda: ModeVerb(NODES).look(args))


@pytest.mark.parametrize("mode", ["", "0999", "rw", "-1", "007777777", "٠٦٤٤"])
def test_modes_that_are_none(mode: str, place: Path, keep: Folder) -> None:
    (place / "x").touch()
    refusal(lambda: ModeVerb(FILES).look({"path": str(place / "x"), "mode": mode}))


@pytest.mark.parametrize(
    ("text", "at", "value", "expected"),
    [
        (b"", "a", "1", b'{\n    "a": 1\n}\n'),
        (b"\xef\xbb\xbf{}", "a", "1", b'\xef\xbb\xbf{\n    "a": 1\n}'),
        (b'{\r\n  "a": 0\r\n}', "b", "[1]", b'{\r\n  "a": 0,\r\n  "b": [\r\n    1\r\n  ]\r\n}'),
        (b'{"a":0}', "a", '"\xc3\xa9"', None),
    ],
)
def test_unusual_texts(
    text: bytes, at: str, value: str, expected: bytes | None, place: Path, keep: Folder
) -> None:
    path = place / "x.json"
    path.write_bytes(text)
    verb, args = FileEdit(), {"path": str(path), "kind": "json", "at": at, "value": value}
    verb.apply(args, verb.look(args).before, NAME, keep)
    assert verb.verify(args)
    if expected is not None:
        assert path.read_bytes() == expected


def test_bytes_that_are_not_utf_8(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_bytes(b"# caf\xe9\r\nA=1")
    verb, args = FileEdit(), {"path": str(path), "kind": "env", "at": "B", "value": '"2"'}
    verb.apply(args, verb.look(args).before, NAME, keep)
    assert path.read_bytes() == b"# caf\xe9\r\nA=1\r\nB=2\r\n"
    path.write_bytes(b'{"a": "\xe9"}')
    assert "UTF-8" in refusal(lambda: verb.look({**args, "kind": "json"}))


@pytest.mark.skipif(not shutil.which("setfacl"), reason="setfacl is not installed")
def test_attributes_and_access_lists_stay(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_text("old\n", encoding="ascii")
    path.chmod(0o640)
    os.setxattr(path, "user.note", b"kept")
    subprocess.run(["setfacl", "-m", "u:12345:rw", str(path)], check=True)
    subprocess.run(["setfacl", "-d", "-m", "u:54321:rwx", str(place)], check=True)
    seen = entry(path)
    write(path, keep)
    assert entry(path)[:5] == seen[:5]
    assert entry(path)[6] == seen[6]
    assert protocol.same(str(path), digest(b"new\n"))


@contextmanager
def mounted(*argv: str) -> Iterator[None]:
    """Mount something inside the folder of a test for a moment."""
    subprocess.run(["mount", *argv], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", argv[-1]], check=True)


@pytest.mark.root
def test_a_file_that_is_mounted(place: Path, keep: Folder) -> None:
    one, other = place / "one file", place / "other"
    one.write_text("old\n", encoding="ascii")
    other.write_text("outside\n", encoding="ascii")
    with mounted("--bind", str(other), str(one)):
        assert "bind mount" in refusal(lambda: write(one, keep))
        refusal(lambda: FileRename().look({"path": str(one)}))
    assert other.read_text(encoding="ascii") == "outside\n"


@pytest.mark.root
def test_a_disk_that_is_read_only(place: Path, keep: Folder) -> None:
    (place / "x").write_text("old\n", encoding="ascii")
    with mounted("-t", "tmpfs", "-o", "size=64k", "none", str(place)):
        (place / "x").write_text("old\n", encoding="ascii")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        for path in (place / "x", place / "new", place / "folder" / "new"):
            assert "read-only" in refusal(partial(write, path, keep))
        assert "read-only" in refusal(lambda: FileRename().look({"path": str(place / "x")}))


@pytest.mark.root
def test_a_disk_that_is_full(place: Path, keep: Folder) -> None:
    with mounted("-t", "tmpfs", "-o", "size=64k", "none", str(place)):
        (place / "x").write_text("old\n", encoding="ascii")
        before = tree(place)
        for path in (place / "x", place / "new", place / "folder" / "new"):
            assert "full" in refusal(partial(write, path, keep, "x" * 100_000))
            assert tree(place) == before


@pytest.mark.root
@pytest.mark.parametrize(("flag", "target"), [("i", "x"), ("a", "x"), ("i", ".")])
def test_a_file_that_is_locked(flag: str, target: str, place: Path, keep: Folder) -> None:
    (place / "x").write_text("old\n", encoding="ascii")
    if subprocess.run(
        ["chattr", f"+{flag}", str(place / target)], capture_output=True, check=False
    ).returncode:
        pytest.skip("this file system has no such flags")
    try:
        assert f"chattr -{flag}" in refusal(lambda: write(place / "x", keep))
    finally:
        subprocess.run(["chattr", f"-{flag}", str(place / target)], check=True)
    assert list(tree(place)) == ["x"]


@pytest.mark.root
def test_a_user_changes_what_is_his_and_nothing_else(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(memory / "own" / "state"))
    (memory / "own").mkdir()
    for path in (memory / "own" / "x", memory / "x"):
        path.write_text("old\n", encoding="ascii")
    for path in (memory / "own", memory / "own" / "x"):
        os.chown(path, NOBODY, NOBODY)
    memory.chmod(0o755)

    def work() -> None:
        become_nobody()
        keep = Folder(memory / "own" / "kept")
        write(memory / "own" / "x", keep)
        mine, other = str(memory / "own" / "x"), str(memory / "x")
        assert not WRITE.root({"path": mine, "content": ""})
        assert WRITE.root({"path": other, "content": ""})
        for verb in (ModeVerb(FILES), FileOwner()):
            args = {"path": other, "mode": "0600", "user": str(NOBODY)}
            assert verb.root(args)
            seen = verb.look(args).before
            assert "sudo" in refusal(partial(verb.apply, args, seen, NAME, keep))
        assert FileRename().root({"path": other})
        assert "sudo" in refusal(lambda: write(memory / "x", keep))

    in_child(work)
    assert (memory / "own" / "x").read_text(encoding="ascii") == "new\n"
    assert (memory / "own" / "x").stat().st_uid == NOBODY
    assert entry(memory / "x")[1:6] == (0o644, 0, 0, 0, b"old\n")
    assert sorted(path.name for path in memory.iterdir()) == ["own", "x"]


@pytest.mark.root
def test_another_users_file_in_ones_own_folder_keeps_its_owner(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(memory / "state"))
    (memory / "x").write_text("old\n", encoding="ascii")
    os.chown(memory, NOBODY, NOBODY)

    def work() -> None:
        become_nobody()
        assert "sudo" in refusal(lambda: write(memory / "x", Folder(memory / "kept")))

    in_child(work)
    assert entry(memory / "x")[1:6] == (0o644, 0, 0, 0, b"old\n")
    assert sorted(path.name for path in memory.iterdir()) == ["kept", "state", "x"]
