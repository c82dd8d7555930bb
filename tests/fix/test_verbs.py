"""Where the verbs write, and what they refuse."""

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeblue.model.plan import Refused
from codeblue.model.remedy import Verb
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs.env_file import EnvSet, EnvUnset
from codeblue.remedy.verbs.file_mode import NODES, ModeVerb
from codeblue.remedy.verbs.file_owner import FileOwner
from codeblue.remedy.verbs.file_rename import FileRename
from codeblue.remedy.verbs.file_write import FileWrite
from codeblue.remedy.verbs.kernelspec import KernelspecPython
from codeblue.remedy.verbs.limit import LimitRaise
from codeblue.remedy.verbs.of_files import OF_FILES
from tests.fix.kept import NAME, Folder, tree


def do(action: Action, args: dict[str, str], keep: Folder) -> tuple[str, ...]:
    """Look, apply, verify; return what the preview showed."""
    seen = action.look(args)
    action.apply(args, seen.before, NAME, keep)
    assert action.verify(args)
    return (*seen.shows, *(told.say("en") for told in seen.tells))


@pytest.fixture
def home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory; its shell is bash."""
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("SHELL", "/bin/bash")
    return place


def test_the_preview_is_a_diff_with_the_judge(home: Path, keep: Folder) -> None:
    (home / ".bashrc").write_text("password=x\nexport A=1\nsecret=y\n", encoding="ascii")
    shows = do(EnvSet(str(home)), {"name": "A", "value": "2"}, keep)
    path = str(home / ".bashrc")
    assert shows == (
        f"--- {path}", f"+++ {path}", "@@ -2 +2 @@", "-export A=1", "+export A=2", f"# {path}: bash -n"
    )  # fmt: skip


def test_a_variable_that_nobody_sets_goes_to_the_login_file(home: Path, keep: Folder) -> None:
    do(EnvSet(str(home)), {"name": "A", "value": "a b"}, keep)
    do(EnvSet(str(home)), {"name": "B", "value": "2"}, keep)
    text = (home / ".profile").read_text(encoding="ascii")
    assert text == '# written by codeblue\nexport A="a b"\nexport B=2\n'
    shell = ["bash", "-lc", 'printf %s "$A $B"']
    assert subprocess.run(shell, env={"HOME": str(home)}, capture_output=True, check=True).stdout == b"a b 2"


def test_the_login_file_is_the_one_that_the_shell_reads(home: Path, keep: Folder) -> None:
    (home / ".bash_profile").touch()
    do(EnvSet(str(home)), {"name": "A", "value": "1"}, keep)
    assert "export A=1" in (home / ".bash_profile").read_text(encoding="ascii")
    assert not (home / ".profile").exists()


def test_the_assignment_that_counts_is_changed(home: Path, keep: Folder) -> None:
    (home / "environment").write_text("A=0\n", encoding="ascii")
    (home / ".profile").write_text("export A=1\n", encoding="ascii")
    (home / ".bashrc").write_text("export A=2\n", encoding="ascii")
    do(EnvSet(str(home)), {"name": "A", "value": "9"}, keep)
    assert [(home / name).read_text(encoding="ascii") for name in (".bashrc", ".profile", "environment")] == [
        "export A=9\n", "export A=1\n", "A=0\n"
    ]  # fmt: skip


def test_a_named_file_gets_lines_without_export(place: Path, keep: Folder) -> None:
    path = place / ".env"
    path.write_text("B=1\n", encoding="ascii")
    do(EnvSet(), {"name": "A", "value": "1", "file": str(path)}, keep)
    assert path.read_text(encoding="ascii") == "B=1\n# written by codeblue\nA=1\n"


def test_a_variable_is_removed_everywhere(home: Path, keep: Folder) -> None:
    (home / "profile.d").mkdir()
    (home / "profile.d" / "cuda.sh").write_text("export A=1\nexport B=2\n", encoding="ascii")
    (home / ".zshrc").write_text("export A=1\n", encoding="ascii")
    verb, args = EnvUnset(str(home)), {"name": "A"}
    before = tree(home)
    seen = verb.look(args)
    done = verb.apply(args, seen.before, NAME, keep)
    assert (home / "profile.d" / "cuda.sh").read_text(encoding="ascii") == "export B=2\n"
    assert (home / ".zshrc").read_text(encoding="ascii") == ""
    verb.back(args, done, NAME, keep)
    assert tree(home) == before


def test_a_variable_that_no_file_sets_is_the_shells(home: Path) -> None:
    with pytest.raises(Refused, match="unset A"):
        EnvUnset(str(home)).look({"name": "A"})


def test_a_start_file_with_an_open_quote_is_refused(home: Path) -> None:
    (home / ".profile").write_text("echo 'open\n", encoding="ascii")
    with pytest.raises(Refused, match="ends inside"):
        EnvSet(str(home)).look({"name": "A", "value": "1"})


def test_the_second_of_two_files_fails_and_the_first_goes_back(
    home: Path, keep: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".bashrc").write_text("export A=1\n", encoding="ascii")
    (home / ".profile").write_text("export A=1\n", encoding="ascii")
    verb, args = EnvUnset(str(home)), {"name": "A"}
    seen, before = verb.look(args), tree(home)
    monkeypatch.setattr("codeblue.remedy.files.swapping.WRITERS_MAY_TAKE", 0.05)
    with (home / ".profile").open("a", encoding="ascii"), pytest.raises(Refused, match="open for writing"):
        verb.apply(args, seen.before, NAME, keep)
    assert tree(home) == before


def test_limits_of_a_user(place: Path, keep: Folder) -> None:
    args = {"flag": "-l", "value": "unlimited", "user": "alice"}
    do(LimitRaise(str(place)), args, keep)
    do(LimitRaise(str(place)), {**args, "flag": "-n", "value": "65536"}, keep)
    text = (place / "security" / "limits.d" / "90-codeblue.conf").read_text(encoding="ascii")
    assert "alice soft memlock unlimited\n" in text
    assert "alice soft nofile 65536\n" in text
    hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    assert ("alice hard memlock unlimited\n" in text) is (hard != resource.RLIM_INFINITY)


def test_limits_of_a_service(place: Path, keep: Folder) -> None:
    do(LimitRaise(str(place)), {"flag": "-l", "value": "1024", "service": "slurmd"}, keep)
    path = place / "systemd" / "system" / "slurmd.service.d" / "90-codeblue-limits.conf"
    assert path.read_text(encoding="ascii") == "[Service]\nLimitMEMLOCK=1024K\n"


@pytest.mark.parametrize(
    "args",
    [
        {"flag": "-x", "value": "1"},
        {"flag": "-l", "value": "1; reboot"},
        {"flag": "-l"},
        {"flag": "-l", "value": "1", "user": "a b"},
        {"flag": "-l", "value": "1", "service": "../x"},
    ],
)
def test_limits_that_are_none(args: dict[str, str], place: Path) -> None:
    with pytest.raises(Refused):
        LimitRaise(str(place)).look(args)


def test_a_kernel_gets_another_python(place: Path, keep: Folder) -> None:
    path = place / "kernel.json"
    path.write_text('{\n "argv": ["/gone", "-m", "x"],\n "language": "python"\n}\n', encoding="ascii")
    do(KernelspecPython(), {"path": str(path), "python": sys.executable}, keep)
    assert json.loads(path.read_text(encoding="ascii"))["argv"] == [sys.executable, "-m", "x"]
    for args in (
        {"path": str(path), "python": "/gone"},
        {"path": str(place / "none"), "python": sys.executable},
    ):
        with pytest.raises(Refused):
            KernelspecPython().look(args)


def test_a_name_that_is_free_needs_nothing(place: Path) -> None:
    assert not FileRename().look({"path": str(place / "gone")}).needed
    for path in ("/", str(place / "..")):
        with pytest.raises(Refused):
            FileRename().look({"path": path})


def test_a_program_with_the_rights_of_its_owner_is_not_given_away(place: Path, keep: Folder) -> None:
    path = place / "x"
    path.touch()
    path.chmod(0o4755)
    verb, args = FileOwner(), {"path": str(path), "user": str(os.getuid() + 1)}
    with pytest.raises(Refused, match="by hand"):
        verb.apply(args, verb.look(args).before, NAME, keep)
    assert path.stat().st_mode & stat.S_ISUID
    for bad in ({"user": "no such user"}, {"group": "no such group"}, {"user": "-1"}):
        with pytest.raises(Refused):
            verb.look({"path": str(path), **bad})


def test_a_folder_of_nodes_has_a_mode_too(place: Path, keep: Folder) -> None:
    (place / "shm").mkdir()
    (place / "shm").chmod(0o755)
    shows = do(ModeVerb(NODES), {"path": str(place / "shm"), "mode": "1777"}, keep)
    assert shows == (f"mode 0755 -> 1777 {place / 'shm'}",)
    assert stat.S_IMODE((place / "shm").stat().st_mode) == 0o1777


def test_a_damaged_plan_is_refused(place: Path, keep: Folder) -> None:
    (place / "x").touch()
    for before in ({}, {"files": "[{}]"}, {"identity": "1", "mode": "9"}):
        for verb in (FileWrite(), ModeVerb(frozenset({stat.S_IFREG})), FileOwner()):
            args = {"path": str(place / "x"), "content": "", "mode": "0600", "user": "1"}
            with pytest.raises(Refused):
                verb.back(args, before, NAME, keep)


def test_the_registry_has_every_verb_of_files() -> None:
    assert {verb.name for verb in OF_FILES} == {
        "FILE_EDIT", "FILE_WRITE", "FILE_MODE", "FILE_OWNER", "FILE_RENAME", "NODE_MODE", "ENV_SET",
        "ENV_UNSET", "LIMIT_RAISE", "KERNELSPEC_PYTHON", "KERNEL_PARAMETER",
    }  # fmt: skip


WORDS = [
    *("", "/", "~", "/etc/passwd/x", "/dev/null", "/proc/self/mem", "\ud800", "\0", "\x1b[31m", "x\vy"),
    *("json", "toml", "yaml", "ini", "env", "grub", "lines", "modprobe", "sysctl", "add", "remove", "set"),
    *("a.b", "A", "{}", '"x"', "$(x)", "-l", "0644", "[" * 3000, "a." * 3000, "a: 1\nb"),
]
VALUES = st.sampled_from(WORDS) | st.text(max_size=5)
NAMES = [
    *("path", "kind", "at", "value", "mode", "content", "user", "group", "name", "file", "flag"),
    *("service", "python", "parameter", "remove"),
]


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    verb=st.sampled_from(list(OF_FILES)),
    args=st.dictionaries(st.sampled_from(NAMES), VALUES),
    text=st.sampled_from([b"", b"{}", b"[a]\nb=1\n", b"a: [1]\n", b"a = 1\n", b"\xff\0"]),
)
def test_any_arguments_are_looked_at_or_refused(
    verb: Verb, args: dict[str, str], text: bytes, home: Path
) -> None:
    (home / "x").write_bytes(text)
    action, args = OF_FILES[verb], {"path": str(home / "x"), "kind": "json", "at": "a", "name": "A", **args}
    refusal: Refused | None = None
    try:
        seen = action.look(args)
        assert isinstance(action.root(args), bool)
        assert bool(seen.shows or seen.tells) is seen.needed
    except Refused as raised:
        refusal = raised
    assert refusal is None or refusal.line.say("zh") != refusal.line.say("en")
    assert (home / "x").read_bytes() == text
