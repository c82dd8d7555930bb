"""Programs that read a file judge it before it takes its place; what they overlook is looked at besides."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeblue.model.plan import Refused
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import digest
from codeblue.remedy.files.validators import docker, judge, programs, validating
from tests.docker.private import PrivateDocker
from tests.fix.kept import NAME, Folder, tree
from tests.root_file_system import unasked


def complaint(path: str, content: str, folder: Path) -> str:
    """Return what its judge says to a file that should get this path."""
    temporary = folder / ".candidate"
    temporary.write_text(content, encoding="utf-8")
    temporary.chmod(0o440 if "sudoers" in path else 0o644)
    one = judge(path)
    assert one.complaint
    return one.complaint(str(temporary), path)


GRUB = "/etc/default/grub"
UNIT = "/etc/systemd/system/codeblue-test.service"
DROP_IN = "/etc/systemd/system/codeblue-test.service.d/90-x.conf"
SERVICE = "[Service]\nExecStart=/bin/true\n"

CASES = [
    ("/etc/docker/daemon.json", '{"default-runtime": "nvidia", "runtimes": {"nvidia": {"path": "x"}}}', ""),
    ("/etc/docker/daemon.json", "{}", ""),
    ("/etc/docker/daemon.json", '{"default-runtime": "nvidia"}', "does not define"),
    ("/etc/docker/daemon.json", '{"runtimes": {"nvidia": {}}}', "no path"),
    ("/etc/docker/daemon.json", '{"runtimes": []}', "object"),
    ("/etc/docker/daemon.json", '{"debug": true, "debug": false}', "twice"),
    ("/etc/docker/daemon.json", '{"debug": true,}', "not JSON"),
    ("/etc/docker/daemon.json", "[]", "one object"),
    (UNIT, SERVICE, ""),
    (UNIT, f"{SERVICE}Restrat=no\n", "Restrat"),
    (UNIT, f"{SERVICE}LimitNOFILE=many\n", "resource value"),
    (UNIT, "[Service]\nExecStart=/gone/program\n", "/gone/program"),
    (DROP_IN, "[Service]\nLimitMEMLOCK=infinity\n", ""),
    (DROP_IN, "[Service]\nLimitMEMLOK=infinity\n", "LimitMEMLOK"),
    (GRUB, 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="iommu=pt pci=realloc"\n', ""),
    (GRUB, "GRUB_DISTRIBUTOR=`lsb_release -i -s 2> /dev/null || echo Debian`\n", ""),
    (GRUB, "GRUB_CMDLINE_LINUX=iommu=pt pci=realloc\n", "would lose pci=realloc"),
    (GRUB, 'GRUB_CMDLINE_LINUX = "iommu=pt"\n', "not found"),
    (GRUB, 'GRUB_CMDLINE_LINUX="iommu=pt\n', "nterminated"),
    ("/etc/sudoers.d/x", "root ALL=(ALL) ALL\n", ""),
    ("/etc/sudoers.d/x", "root ALL=(ALL\n", "syntax"),
    ("/etc/modprobe.d/x.conf", "options nvidia NVreg_X=1\nblacklist nouveau\n", ""),
    ("/etc/modprobe.d/x.conf", "option nvidia NVreg_X=1\n", "bad line"),
    ("/etc/udev/rules.d/70-x.rules", '# a\nKERNEL=="nvidia*", MODE="0666", RUN+="/bin/x $env{A}"\n', ""),
    ("/etc/udev/rules.d/70-x.rules", "KERNEL==nvidia, MODE=0666\n", "line 1"),
    ("/etc/ld.so.conf.d/x.conf", "# a\n/opt/lib\ninclude /etc/y/*.conf\n", ""),
    ("/etc/ld.so.conf.d/x.conf", "opt/lib\n", "line 1"),
    ("/etc/security/limits.d/x.conf", "* soft memlock unlimited\n@a - nofile 5 # b\n", ""),
    ("/etc/security/limits.d/x.conf", "* soft memlock lots\n", "line 1"),
    ("/home/a/.bashrc", "if true; then :; fi\n", ""),
    ("/home/a/.bashrc", "if true; then\n", "yntax"),
    ("/etc/profile.d/x.sh", "export A='\n", "nterminated"),
    ("/etc/nvidia-container-runtime/config.toml", "a = 1\n", ""),
    ("/etc/nvidia-container-runtime/config.toml", "a = \n", "not TOML"),
    ("/etc/cdi/x.yaml", "a: [\n", "not YAML"),
    ("/etc/pip.conf", "[global]\nindex-url\n", "line 2"),
]


NEEDS = {
    "sudoers": "visudo",
    "modprobe.d": "modprobe",
    "systemd/system": "systemd-analyze",
    ".bashrc": "bash",
}
"""What a machine of a developer may lack."""


@pytest.mark.parametrize(("path", "content", "word"), CASES)
def test_what_the_judges_say(path: str, content: str, word: str, tmp_path: Path) -> None:
    needed = next((program for part, program in NEEDS.items() if part in path), "sh")
    if programs.found(needed) is None:
        pytest.skip(f"{needed} is not installed")
    said = complaint(path, content, tmp_path)
    assert word in said if word else not said


@pytest.mark.skipif(not programs.found("sshd"), reason="sshd is not installed")
def test_sshd_is_asked(tmp_path: Path) -> None:
    said = complaint("/etc/ssh/sshd_config.d/x.conf", "PermitRootLogin perhaps\n", tmp_path)
    assert "PermitRootLogin" in said or "perhaps" in said


def test_who_judges_is_said() -> None:
    assert judge("/etc/docker/daemon.json").name.say("en") in (
        "dockerd --validate",
        "codeblue (this dockerd has no --validate)",
    )
    known = bool(programs.found("systemd-analyze"))
    assert judge(UNIT).name.say("en") == ("systemd-analyze verify" if known else "codeblue (ini)")
    assert judge("/etc/slurm/slurm.conf").name.say("en") == "no validator"


def test_where_no_program_is_installed_codeblue_reads_the_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "FOLDERS", str(tmp_path))
    assert complaint("/etc/docker/daemon.json", '{"default-runtime": "nvidia"}', tmp_path)
    assert complaint(UNIT, "[Service]\nwords\n", tmp_path)
    assert not complaint(UNIT, SERVICE, tmp_path)
    assert complaint("/etc/udev/rules.d/70-x.rules", "words\n", tmp_path)
    names = [
        judge(path).name.say("en") for path in ("/etc/docker/daemon.json", UNIT, "/etc/modprobe.d/x.conf")
    ]
    assert names == ["codeblue (this dockerd has no --validate)", "codeblue (ini)", "codeblue (modprobe)"]
    for path, program in (("/etc/sudoers", "visudo"), ("/etc/ssh/sshd_config", "sshd")):
        assert judge(path).name.say("en") == f"no validator ({program} is not installed)"
        validating(path)(str(tmp_path / "any"))


def test_a_broken_result_is_refused_and_nothing_changes(place: Path, keep: Folder) -> None:
    path = place / "daemon.json"
    path.write_text("{}", encoding="ascii")
    before = tree(place)
    broken = b'{"default-runtime": "nvidia"}'
    with pytest.raises(Refused, match="default-runtime is 'nvidia'"):
        protocol.replace(str(path), digest(b"{}"), broken, NAME, keep, validating(str(path)))
    assert tree(place) == before


def test_what_was_said_of_the_old_file_does_not_stop_the_change(place: Path, keep: Folder) -> None:
    path = place / "x.toml"
    path.write_text("a = \nb = 1\n", encoding="ascii")
    protocol.replace(
        str(path), digest(path.read_bytes()), b"a = \nb = 2\n", NAME, keep, validating(str(path))
    )
    assert path.read_text(encoding="ascii") == "a = \nb = 2\n"


def test_flags_of_the_service_are_known(tmp_path: Path) -> None:
    unit = tmp_path / "docker.service"
    unit.write_text("[Service]\nExecStart=/usr/bin/dockerd -H fd:// \\\n  --debug\n", encoding="ascii")
    assert docker.flags((str(unit),)) >= {"hosts", "debug"}


def test_a_judge_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    said = programs.asked(["/bin/sh", "-c", "sleep 60 & sleep 60"], seconds=0.2)
    assert said.code == 124
    assert "no answer" in said.words


@pytest.mark.root
@pytest.mark.skipif(unasked() or not programs.found("dockerd"), reason="starts a docker daemon of its own")
def test_a_daemon_that_refuses_a_file_was_not_given_it(tmp_path: Path, keep: Folder) -> None:
    """What codeblue refuses makes the real daemon fail; what it writes the daemon accepts."""
    good = '{"runtimes": {"nvidia": {"path": "/bin/true"}}, "default-runtime": "nvidia"}'
    bad = '{"default-runtime": "nvidia"}'
    assert not complaint("/x/daemon.json", good, tmp_path)
    assert complaint("/x/daemon.json", bad, tmp_path)
    with private(good) as accepted:
        accepted.start()
    with private(bad) as refusing, pytest.raises(AssertionError, match="nvidia"):
        refusing.start()


@contextmanager
def private(content: str) -> Iterator[PrivateDocker]:
    """Give a daemon with its own daemon.json; its folder has a short name, since it makes sockets in it."""
    folder = Path(tempfile.mkdtemp(prefix="cb"))
    daemon = PrivateDocker(folder)
    daemon.config.write_text(content, encoding="ascii")
    try:
        yield daemon
    finally:
        daemon.end()
        shutil.rmtree(folder)
