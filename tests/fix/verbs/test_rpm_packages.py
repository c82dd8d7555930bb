"""package-install, package-hold, package-unhold by dnf and by zypper, with tiny packages in a repository"""

import json
import shutil
import sys
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests import root_file_system
from tests.fix.verbs import rpm_repository
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial, straight
from tests.fix.verbs.machine import Machine

MISSING = [name for name in (*rpm_repository.PROGRAMS, "dnf", "zypper") if not shutil.which(name)]
pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages."""
    folder = tmp_path_factory.mktemp("repository")
    rpm_repository.built(folder)
    return folder


class Rpm:
    """A machine of rpm, with tiny 1.0 installed by one of the two package managers."""

    def __init__(self, machine: Machine, repository: Path, name: str) -> None:
        self.machine = machine
        self.name = name
        self.repository = repository
        self.folder = "/etc/yum.repos.d" if name == "dnf" else "/etc/zypp/repos.d"
        rpm_repository.without_apt(machine)
        rpm_repository.only(machine, repository, self.folder)
        if name == "zypper":
            machine.done("rm", "/usr/bin/dnf")
        self.add("tiny-1.0" if name == "dnf" else "tiny=1.0")

    def add(self, *packages: str) -> None:
        """Install packages behind the verb's back."""
        words = {"dnf": ["dnf", "-y", "-q", "install"], "zypper": ["zypper", "-nq", "in", "--oldpackage"]}
        self.machine.done(*words[self.name], *packages)

    def versions(self) -> str:
        """Return the installed packages."""
        return self.machine.done("sh", "-c", "rpm -qa | sort")

    def reset(self) -> None:
        """Bring back tiny 1.0 alone."""
        self.machine.run(["rpm", "-e", "tiny-data", "--nodeps"])
        self.machine.done(
            "rpm", "-U", "--oldpackage", "--force", f"{self.repository}/packages/noarch/tiny-1.0-1.noarch.rpm"
        )

    def install(self, package: str, version: str = "") -> Trial:
        """Return the trial of an installation over tiny 1.0."""
        return Trial(
            self.machine,
            Verb.PACKAGE_INSTALL,
            {"package": package} | ({"version": version} if version else {}),
            state=self.versions,
            reset=self.reset,
            programs=[(self.name, "-y install" if self.name == "dnf" else "--non-interactive install")],
            looks=["-q", "--assumeno", "repoquery", "versionlock", "--dry-run", "search", "locks"],
        )


@pytest.fixture(params=["dnf", "zypper"])
def rpm(request: pytest.FixtureRequest, machine: Machine, repository: Path) -> Rpm:
    """The machine, with dnf or with zypper."""
    if request.param == "dnf":
        if root_file_system.unasked():
            pytest.skip("downloads dnf's plugins: set CODEBLUE_DOCKER_TESTS=1")
        rpm_repository.locks(machine)
        machine.write("/etc/dnf/dnf.conf", "[main]\n")
    return Rpm(machine, repository, request.param)


def test_an_upgrade_with_a_new_dependency_survives(rpm: Rpm) -> None:
    survives(rpm.install("tiny", "2.0-1"))


def test_the_preview_names_every_package(rpm: Rpm) -> None:
    shows = rpm.install("tiny", "2.0-1").ask("look")["value"]["shows"]

    assert sorted(shows) == ["tiny 1.0-1 -> 2.0-1", "tiny-data - -> 2.0-1"]


LOCKS: dict[str, dict[str, tuple[str, ...]]] = {
    "dnf": {"add": ("dnf", "-q", "versionlock", "add"), "delete": ("dnf", "-q", "versionlock", "delete")},
    "zypper": {"add": ("zypper", "-q", "addlock"), "delete": ("zypper", "-q", "removelock")},
}
LISTED = {"dnf": ("dnf", "-q", "versionlock", "list"), "zypper": ("zypper", "-q", "locks")}


def held(rpm: Rpm, verb: Verb) -> Trial:
    """Return the trial of a hold, or of its end."""
    word, other = ("add", "delete") if verb is Verb.PACKAGE_HOLD else ("delete", "add")
    return Trial(
        rpm.machine,
        verb,
        {"package": "tiny"},
        state=lambda: rpm.machine.done(*LISTED[rpm.name]),
        reset=lambda: rpm.machine.done(*LOCKS[rpm.name][other], "tiny"),
        programs=[(rpm.name, LOCKS[rpm.name][word][-1])],
        looks=["-q", "list", "locks"],
    )


def test_a_hold_and_back(rpm: Rpm) -> None:
    straight(held(rpm, Verb.PACKAGE_HOLD))


def test_the_end_of_a_hold_and_back(rpm: Rpm) -> None:
    trial = held(rpm, Verb.PACKAGE_UNHOLD)
    trial.reset()
    straight(trial)


def test_a_held_package_is_left_alone(rpm: Rpm) -> None:
    held(rpm, Verb.PACKAGE_UNHOLD).reset()

    assert "is held" in rpm.install("tiny", "2.0-1").ask("look")["refused"]
    assert rpm.install("tiny").ask("look")["value"]["needed"] is False


def test_a_downgrade_and_back(rpm: Rpm) -> None:
    rpm.add("tiny-epoch-1:2.0-1" if rpm.name == "dnf" else "tiny-epoch=1:2.0-1")
    old = rpm.versions()
    trial = rpm.install("tiny-epoch", "1:1.0-1")

    looked, applied, verified = trial.calls("look", "apply", "verify")

    assert looked["value"]["shows"] == ["tiny-epoch 1:2.0-1 -> 1:1.0-1"]
    assert verified["value"] is True and rpm.versions() != old
    assert rpm.install("tiny-epoch", "1.0").ask("look")["value"]["needed"] is False
    assert "value" in trial.ask("back", before=applied["value"])
    assert rpm.versions() == old


def test_an_old_version_that_no_repository_has(rpm: Rpm, tmp_path: Path) -> None:
    folder = tmp_path / "without"
    shutil.copytree(rpm.repository, folder)
    (folder / "packages/noarch/tiny-1.0-1.noarch.rpm").unlink()
    rpm_repository.index(folder)
    rpm_repository.only(rpm.machine, folder, rpm.folder)
    trial = rpm.install("tiny", "2.0-1")

    looked, applied = trial.calls("look", "apply")

    assert any(line.startswith("tiny 1.0-1 -> 2.0-1 (no way back") for line in looked["value"]["shows"])
    assert "1.0-1 is in no repository" in trial.ask("back", before=applied["value"])["refused"]


def test_refused(rpm: Rpm) -> None:
    wanted = {("tiny-rival", ""): "tiny", ("no-such", ""): "no-such", ("tiny", "9.9"): "9.9"}
    for (package, version), words in wanted.items():
        refused = rpm.install(package, version).ask("look")["refused"]
        assert refused.startswith(rpm.name) and words in refused
    assert "is no package" in rpm.install("a b").ask("look")["refused"]


def test_the_driver_moves_only_by_its_own_name(rpm: Rpm) -> None:
    rpm.add("libnvidia-tiny-550.1" if rpm.name == "dnf" else "libnvidia-tiny=550.1")

    look = rpm.install("tiny-needs-driver").ask("look")
    assert "also change the driver or kernel: libnvidia-tiny" in look["refused"]
    assert rpm.install("nvidia-tiny").ask("look")["value"]["needed"] is True


def test_the_written_script_does_the_same_once(rpm: Rpm) -> None:
    wishes = json.dumps([(Verb.PACKAGE_INSTALL, {"package": "tiny", "version": "2.0-1"})])
    argv = [sys.executable, "-m", "tests.fix.verbs.planned", "render", "/var/lib/test"]
    script = rpm.machine.run(argv, wishes).stdout
    rpm.machine.write("/run/script", script)

    rpm.machine.done("sh", "/run/script")
    assert rpm.versions() == "tiny-2.0-1.noarch\ntiny-data-2.0-1.noarch\n"
    again = rpm.machine.run(["sh", "/run/script"])
    assert again.returncode, "the machine is no longer as the preview saw it"
