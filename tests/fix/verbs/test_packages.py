"""package-install, package-hold, package-unhold, with tiny packages in a repository of the test's own"""

import hashlib
import subprocess
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

PACKAGES = (
    ("tiny", "1.0", "", ""),
    ("tiny", "2.0", "Depends: tiny-data", ""),
    ("tiny-data", "2.0", "", ""),
    ("tiny-rival", "1.0", "Conflicts: tiny", ""),
    ("libnvidia-tiny", "550.1", "", ""),
    ("libnvidia-tiny", "560.1", "", ""),
    ("tiny-needs-driver", "1.0", "Depends: libnvidia-tiny (>= 560)", ""),
    ("nvidia-tiny", "560.1", "Depends: libnvidia-tiny (>= 560)", ""),
    # Kills dpkg and apt the first time that it is configured.
    ("tiny-fatal", "1.0", "", "[ -e /run/once ] || { touch /run/once; kill -9 $PPID; sleep 1; }"),
)
SOURCES = """
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/preferences.d/* /var/lib/apt/lists/*
echo 'deb [trusted=yes] file:{folder} ./' > /etc/apt/sources.list
echo 'APT::Sandbox::User "root";' > /etc/apt/apt.conf.d/99root
apt-get -qq update
"""


def built(folder: Path) -> None:
    """Build the packages and their repository."""
    for name, version, field, configure in PACKAGES:
        root = folder / f"{name}-{version}"
        (root / "DEBIAN").mkdir(parents=True)
        (root / "usr/share" / name).mkdir(parents=True)
        (root / "usr/share" / name / "version").write_text(version, encoding="ascii")
        control = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: a <a@example.org>\n"
        control += f"Description: tiny\n{field}".rstrip() + "\n"
        (root / "DEBIAN/control").write_text(control, encoding="ascii")
        if configure:
            script = root / "DEBIAN/postinst"
            script.write_text(f"#!/bin/sh\n{configure}\n", encoding="ascii")
            script.chmod(0o755)
        subprocess.run(["dpkg-deb", "-b", str(root), str(folder)], check=True, stdout=subprocess.DEVNULL)
    with (folder / "Packages").open("w", encoding="ascii") as index:
        for package in sorted(folder.glob("*.deb")):
            fields = subprocess.run(
                ["dpkg-deb", "-f", str(package)], check=True, stdout=subprocess.PIPE, text=True
            )
            index.write(f"{fields.stdout}Filename: ./{package.name}\nSize: {package.stat().st_size}\n")
            index.write(f"SHA256: {hashlib.sha256(package.read_bytes()).hexdigest()}\n\n")


@pytest.fixture
def place(machine: Machine, tmp_path: Path) -> Machine:
    """The machine with this repository only, and tiny 1.0 installed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    built(folder)
    machine.done("sh", "-ec", SOURCES.format(folder=folder))
    machine.done("apt-get", "-y", "-qq", "install", "tiny=1.0")
    return machine


def versions(machine: Machine) -> str:
    """Return the tiny packages with their versions and states."""
    query = "dpkg-query -W -f '${Package} ${Version} ${db:Status-Abbrev}\\n' 'tiny*' 2>/dev/null | grep ii"
    return machine.run(["sh", "-c", query]).stdout


def install(machine: Machine, package: str, version: str = "") -> Trial:
    """Return the trial of an installation over tiny 1.0."""
    back = ["apt-get", "-y", "-qq", "--allow-downgrades", "install", "tiny=1.0", "tiny-data-"]
    return Trial(
        machine,
        Verb.PACKAGE_INSTALL,
        {"package": package} | ({"version": version} if version else {}),
        state=lambda: versions(machine),
        reset=lambda: machine.done(*back),
        programs=[("apt-get", "--no-remove")],
        looks=["-s", "-W", "--audit", "showhold", "madison"],
    )


def hold(machine: Machine, verb: Verb, on: bool) -> Trial:
    """Return the trial of a hold, or of its end."""
    return Trial(
        machine,
        verb,
        {"package": "tiny"},
        state=lambda: machine.done("apt-mark", "showhold"),
        reset=lambda: machine.done("apt-mark", "unhold" if on else "hold", "tiny"),
        programs=[("apt-mark", "hold" if on else "unhold")],
        looks=["-W", "showhold"],
    )


def test_an_upgrade_with_a_new_dependency_survives(place: Machine) -> None:
    survives(install(place, "tiny", "2.0"))


def test_a_hold_survives(place: Machine) -> None:
    survives(hold(place, Verb.PACKAGE_HOLD, on=True))


def test_the_end_of_a_hold_survives(place: Machine) -> None:
    trial = hold(place, Verb.PACKAGE_UNHOLD, on=False)
    trial.reset()
    survives(trial)


def test_the_preview_names_every_package(place: Machine) -> None:
    shows = install(place, "tiny", "2.0").ask("look")["value"]["shows"]

    assert sorted(shows) == ["tiny 1.0 -> 2.0", "tiny-data - -> 2.0"]


def test_an_old_version_that_no_repository_has(place: Machine, tmp_path: Path) -> None:
    index = tmp_path / "repository" / "Packages"
    kept = [one for one in index.read_text(encoding="ascii").split("\n\n") if "tiny_1.0_all" not in one]
    place.write(str(index), "\n\n".join(kept))
    place.done("apt-get", "-qq", "update")
    trial = install(place, "tiny", "2.0")
    looked, applied = trial.calls("look", "apply")

    assert any(line.startswith("tiny 1.0 -> 2.0 (no way back") for line in looked["value"]["shows"])
    assert "1.0 is in no repository" in trial.ask("back", before=applied["value"])["refused"]


def test_dpkg_killed_in_the_middle_is_finished_by_hand(place: Machine) -> None:
    trial = install(place, "tiny-fatal")
    looked, applied, verified, again, _, after = trial.calls(
        "look", "apply", "verify", "look", "finish", "verify"
    )

    assert "failed" in applied and verified["value"] is False
    assert again["refused"].endswith("finish it with: dpkg --configure -a")
    assert after["value"] is True
    assert "value" in trial.ask("back", before=looked["value"]["before"])
    assert versions(place) == "tiny 1.0 ii \n"


def test_refused(place: Machine) -> None:
    wanted = {
        ("tiny-rival", ""): "if these are removed: tiny",
        ("no-such", ""): "Unable to locate package no-such",
        ("tiny", "9.9"): "Version '9.9' for 'tiny' was not found",
        ("-o=x", ""): "no usable package",
        ("a b", ""): "is no package",
        ("tiny", "1 2"): "is no package",
    }
    for (package, version), words in wanted.items():
        assert words in install(place, package, version).ask("look")["refused"]


def test_the_driver_moves_only_by_its_own_name(place: Machine) -> None:
    place.done("apt-get", "-y", "-qq", "install", "libnvidia-tiny=550.1")

    look = install(place, "tiny-needs-driver").ask("look")
    assert "also change the driver or kernel: libnvidia-tiny" in look["refused"]
    assert install(place, "nvidia-tiny").ask("look")["value"]["needed"] is True


def test_a_held_package_is_left_alone(place: Machine) -> None:
    place.done("apt-mark", "hold", "tiny")

    assert "is held" in install(place, "tiny", "2.0").ask("look")["refused"]
    assert install(place, "tiny").ask("look")["value"]["needed"] is False
