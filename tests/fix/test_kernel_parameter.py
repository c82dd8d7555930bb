"""A word of the kernel command line, by the real GRUB programs in folders of the test."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeblue.model.plan import Refused
from codeblue.remedy.files.place import digest
from codeblue.remedy.verbs.kernel_parameter import KernelParameter, in_menu
from tests.fix.child import in_child, leave_mounts
from tests.fix.kept import NAME, Folder, tree
from tests.fix.traced import CHANGING, traced

pytestmark = pytest.mark.root

MENU = Path("/boot/grub/grub.cfg")
DEFAULTS = Path("/etc/default/grub")
TEXT = 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX_DEFAULT="quiet"\nGRUB_CMDLINE_LINUX=""\n'
ADD = {"parameter": "iommu=pt"}


def in_private(folder: Path, work: Callable[[], None]) -> None:
    """Run the work in a child that sees other folders as /etc/default and /boot, with one kernel in it."""

    def inside() -> None:
        _enter(folder)
        work()

    in_child(inside)


def _enter(folder: Path) -> None:
    leave_mounts()
    for name, place in (("default", "/etc/default"), ("boot", "/boot")):
        (folder / name).mkdir()
        subprocess.run(["mount", "--bind", str(folder / name), place], check=True)
    MENU.parent.mkdir()
    for name in ("vmlinuz-6.1.0-1-amd64", "initrd.img-6.1.0-1-amd64"):
        (MENU.parents[1] / name).touch()
    DEFAULTS.write_text(TEXT, encoding="ascii")
    MENU.write_bytes(subprocess.run(["grub-mkconfig"], check=True, capture_output=True).stdout)
    assert in_menu(MENU.read_bytes(), "quiet")


def test_added_and_taken_back(tmp_path: Path, keep: Folder) -> None:
    def work() -> None:
        before = tree(Path("/boot")), tree(DEFAULTS.parent)
        verb = KernelParameter()
        seen = verb.look(ADD)
        assert '+GRUB_CMDLINE_LINUX_DEFAULT="quiet iommu=pt"' in seen.shows
        done = verb.apply(ADD, seen.before, NAME, keep)
        assert verb.verify(ADD)
        assert not verb.look(ADD).needed
        assert not verb.by_hand(ADD, done)
        assert in_menu(MENU.read_bytes(), "iommu=pt")
        verb.back(ADD, done, NAME, keep)
        assert (tree(Path("/boot")), tree(DEFAULTS.parent)) == before

    in_private(tmp_path, work)


def test_removed_from_wherever_it_stands(tmp_path: Path, keep: Folder) -> None:
    def work() -> None:
        drop_in = Path("/etc/default/grub.d/50-cloud.cfg")
        drop_in.parent.mkdir()
        drop_in.write_text('GRUB_CMDLINE_LINUX_DEFAULT="quiet splash"\n', encoding="ascii")
        verb, args = KernelParameter(), {"parameter": "quiet", "remove": "yes"}
        verb.apply(args, verb.look(args).before, NAME, keep)
        assert verb.verify(args)
        assert drop_in.read_text(encoding="ascii") == 'GRUB_CMDLINE_LINUX_DEFAULT="splash"\n'
        assert not in_menu(MENU.read_bytes(), "quiet")
        assert "iommu=pt" in verb.look(ADD).shows[4]

    in_private(tmp_path, work)


def test_a_kill_leaves_what_the_hand_can_finish(tmp_path: Path, keep: Folder) -> None:
    def work() -> None:
        verb = KernelParameter()
        seen = verb.look(ADD)
        old = MENU.read_bytes()
        calls = traced(lambda: _apply(verb, seen.before, keep)).calls
        states = set()
        for point in range(0, len(calls), 5):
            DEFAULTS.write_text(TEXT, encoding="ascii")
            MENU.write_bytes(old)
            keep.clear()
            assert traced(lambda: _apply(verb, seen.before, keep), CHANGING, kill=point).code is None
            verb.sweep(ADD, NAME)
            assert not [path for path in (*tree(MENU.parent), *tree(DEFAULTS.parent)) if NAME in path]
            half = (DEFAULTS.read_text(encoding="ascii") != TEXT, digest(MENU.read_bytes()) != digest(old))
            states.add(half)
            if half == (True, False):
                [command] = verb.by_hand(ADD, seen.before)
                subprocess.run(command, check=True, capture_output=True)
                assert verb.verify(ADD)
            verb.back(ADD, seen.before, NAME, keep)
            assert DEFAULTS.read_text(encoding="ascii") == TEXT
            assert not in_menu(MENU.read_bytes(), "iommu=pt")
        assert states >= {(False, False), (True, False)}

    in_private(tmp_path, work)


def _apply(verb: KernelParameter, before: dict[str, str], keep: Folder) -> None:
    verb.apply(ADD, before, NAME, keep)


def test_where_something_else_decides(tmp_path: Path, keep: Folder) -> None:
    def work() -> None:
        for bad in ("two words", 'a"b', "$(x)"):
            with pytest.raises(Refused, match="one word"):
                KernelParameter().look({"parameter": bad})
        seen = KernelParameter().look(ADD)
        drop_in = Path("/etc/default/grub.d/99-site.cfg")
        drop_in.parent.mkdir()
        drop_in.write_text("eval GRUB_CMDLINE_LINUX_DEFAULT=own\n", encoding="ascii")
        with pytest.raises(Refused, match="another file decides"):
            KernelParameter().apply(ADD, seen.before, NAME, keep)
        assert DEFAULTS.read_text(encoding="ascii") == TEXT
        with DEFAULTS.open("a", encoding="ascii") as file:
            file.write("GRUB_ENABLE_BLSCFG=true\n")
        Path("/boot/loader/entries").mkdir(parents=True)
        with pytest.raises(Refused, match="grubby --update-kernel=ALL --args=iommu=pt"):
            KernelParameter().look(ADD)
        MENU.unlink()
        with pytest.raises(Refused, match="does not boot by GRUB"):
            KernelParameter().look(ADD)

    in_private(tmp_path, work)
