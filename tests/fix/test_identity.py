"""What is applied and taken back is as it was; what is applied twice is not needed or refused."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeblue.model.plan import Refused
from codeblue.model.remedy import Undo
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs.file_write import FileWrite
from codeblue.remedy.verbs.of_files import OF_FILES
from tests.fix.cases import ALL, OF_ROOT, Case
from tests.fix.crashes import scene
from tests.fix.kept import NAME, Folder, tree


@pytest.mark.root
@pytest.mark.parametrize(("name", "case"), ALL.items())
def test_there_and_back(
    name: str, case: Case, place: Path, keep: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(place))
    if name in OF_ROOT and os.geteuid():
        pytest.skip("only root makes nodes and gives files away")
    made = scene(case, place, keep)
    seen = made.action.look(made.args)
    assert seen.needed
    assert seen.shows or seen.tells
    assert not made.action.root(made.args)
    assert tree(place) == made.old, "to look changes nothing"
    assert not made.action.verify(made.args)
    before = made.action.apply(made.args, seen.before, NAME, keep)
    after = tree(place)
    assert after != made.old
    assert made.action.verify(made.args)
    with pytest.raises(Refused):
        made.action.apply(made.args, seen.before, NAME, keep)
    assert tree(place) == after, "to apply it twice changes nothing"
    assert _not_needed(made.action, made.args)
    assert not made.action.by_hand(made.args, before)
    made.action.back(made.args, before, NAME, keep)
    assert tree(place) == made.old
    made.action.back(made.args, before, NAME, keep)
    assert tree(place) == made.old


def _not_needed(action: Action, args: dict[str, str]) -> bool:
    try:
        return not action.look(args).needed
    except Refused:
        return True


def test_every_verb_of_files_says_how_it_goes_back() -> None:
    assert {verb for verb, action in OF_FILES.items() if action.undo is not Undo.EXACT} == {
        "kernel-parameter"
    }


def test_the_time_of_a_change_is_that_of_the_change(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.write_bytes(b"old\n")
    os.utime(path, (1, 1))
    verb, args = FileWrite(), {"path": str(path), "content": "new\n"}
    before = verb.apply(args, verb.look(args).before, NAME, keep)
    assert path.stat().st_mtime > 1
    os.utime(path, (2, 2))
    verb.back(args, before, NAME, keep)
    assert path.stat().st_mtime > 2


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    old=st.none() | st.binary(max_size=200),
    new=st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    mode=st.sampled_from([0o600, 0o644, 0o755, 0o4755, 0o2644]),
    wanted=st.none() | st.sampled_from(["0600", "0644", "0440"]),
)
def test_any_bytes_and_modes_go_back(
    old: bytes | None, new: str, mode: int, wanted: str | None, quick: tuple[Path, Folder]
) -> None:
    place, keep = quick
    place.mkdir(exist_ok=True)
    path = place / "thing"
    path.unlink(missing_ok=True)
    if old is not None:
        path.write_bytes(old)
        path.chmod(mode)
    args = {"path": str(path), "content": new} | ({"mode": wanted} if wanted else {})
    before = tree(place)
    verb = FileWrite()
    seen = verb.look(args)
    if seen.needed:
        done = verb.apply(args, seen.before, NAME, keep)
        assert path.read_bytes() == new.encode()
        assert wanted is None or path.stat().st_mode & 0o7777 == int(wanted, 8)
        verb.back(args, done, NAME, keep)
    assert tree(place) == before
