"""A verb that is killed, or whose system calls fail, leaves the old state or the new one."""

import errno
import itertools
import os
import platform
from pathlib import Path

import pytest

from tests.fix import crashes
from tests.fix.cases import OF_ROOT, QUICK, Case, json_edit, new_file, new_folders, rename_file, rename_folder
from tests.fix.crashes import failed, killed, result, starts
from tests.fix.kept import Folder, tree
from tests.fix.traced import CHANGING, EVERY, NUMBERS, traced

SEVERAL = ("env_unset", "new_folders", "limit_raise")
"""Cases with more than one file, or with directories."""

CASES = [*QUICK.items(), *(pytest.param(*one, marks=pytest.mark.root) for one in OF_ROOT.items())]
pytestmark = pytest.mark.skipif(not NUMBERS, reason="the system calls of this machine have other numbers")


OF_X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="results are changed in x86_64 registers")


def _needs_root(name: str) -> None:
    if name in OF_ROOT and os.geteuid():
        pytest.skip("only root makes nodes and gives files away")


@pytest.mark.parametrize("direction", ["apply", "back"])
@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_kill_before_any_call_leaves_old_or_new(
    name: str, case: Case, direction: str, quick: tuple[Path, Folder]
) -> None:
    _needs_root(name)
    count = killed(starts(case, *quick)[direction], result(case, *quick))
    assert count.points == count.old + count.new + count.between
    assert count.old
    assert not count.between or name in SEVERAL


@OF_X86
@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_call_that_fails_is_refused_and_leaves_nothing(
    name: str, case: Case, quick: tuple[Path, Folder]
) -> None:
    _needs_root(name)
    # the start files are many; that a reading call fails is tested by the other cases
    kinds = CHANGING if name.startswith("env") else EVERY
    count = failed(starts(case, *quick)["apply"], result(case, *quick), errno.EIO, kinds)
    assert count.old
    assert not count.between


@OF_X86
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES])
@pytest.mark.parametrize("case", [json_edit, new_folders])
def test_other_errors_are_refused_as_well(case: Case, error: int, quick: tuple[Path, Folder]) -> None:
    count = failed(starts(case, *quick)["apply"], result(case, *quick), error)
    assert count.old
    assert not count.between


@pytest.mark.parametrize("case", [json_edit, new_folders])
def test_content_is_durable_before_its_name_and_the_name_before_the_end(
    case: Case, quick: tuple[Path, Folder]
) -> None:
    names = crashes.calls(starts(case, *quick)["apply"], CHANGING)
    renamed = max(at for at, name in enumerate(names) if name == "renameat2")
    order = [name for name in names if name in ("write", "fsync", "renameat2")]
    followers = [after for name, after in itertools.pairwise(order) if name == "write"]
    assert set(followers) == {"fsync"}, "every file is synced before the next step"
    assert "fsync" in names[renamed:]
    assert "write" not in names[renamed:]


@OF_X86
@pytest.mark.parametrize("case", [json_edit, new_file, rename_file])
def test_where_names_cannot_be_exchanged(case: Case, quick: tuple[Path, Folder]) -> None:
    new = result(case, *quick)
    made, work = starts(case, *quick)["apply"]()
    assert traced(work, frozenset({"renameat2"}), fail=0, error=errno.EINVAL).code == 0
    assert tree(made.place) == new
    made.back()
    assert tree(made.place) == made.old


@OF_X86
def test_a_folder_is_not_renamed_where_that_could_overwrite(quick: tuple[Path, Folder]) -> None:
    made, work = starts(rename_folder, *quick)["apply"]()
    work = crashes.guarded(work)
    assert traced(work, frozenset({"renameat2"}), fail=0, error=errno.EINVAL).code == crashes.REFUSED
    assert tree(made.place) == made.old
