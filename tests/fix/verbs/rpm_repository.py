"""Tiny packages for rpm, in a repository of the test's own, on a private machine without apt."""

import os
import subprocess
from pathlib import Path

import pytest

from tests import root_file_system
from tests.fix.verbs.machine import Machine

PACKAGES = (
    ("tiny", "1.0", ""),
    ("tiny", "2.0", "Requires: tiny-data"),
    ("tiny-data", "2.0", ""),
    ("tiny-rival", "1.0", "Conflicts: tiny"),
    ("libnvidia-tiny", "550.1", ""),
    ("libnvidia-tiny", "560.1", ""),
    ("tiny-needs-driver", "1.0", "Requires: libnvidia-tiny >= 560"),
    ("nvidia-tiny", "560.1", "Requires: libnvidia-tiny >= 560"),
    ("tiny-epoch", "1.0", "Epoch: 1"),
    ("tiny-epoch", "2.0", "Epoch: 1"),
)
SPEC = """Name: {name}
Version: {version}
Release: 1
Summary: tiny
License: none
BuildArch: noarch
{field}
%description
tiny
%files
"""
PROGRAMS = ("rpm", "rpmbuild", "createrepo_c")


def built(folder: Path) -> None:
    """Build the packages and the metadata of their repository."""
    for name, version, field in PACKAGES:
        spec = folder / "tiny.spec"
        spec.write_text(SPEC.format(name=name, version=version, field=field), encoding="ascii")
        places = [f"--define=_topdir {folder}/build", f"--define=_rpmdir {folder}/packages"]
        subprocess.run(["rpmbuild", "-bb", "--quiet", *places, str(spec)], check=True, capture_output=True)
    index(folder)


def index(folder: Path) -> None:
    """Write the metadata of what is in the repository now."""
    subprocess.run(["createrepo_c", "-q", "--simple-md-filenames", str(folder / "packages")], check=True)


def only(machine: Machine, folder: Path, repositories: str) -> None:
    """Let the machine know this repository alone; it is looked at anew each time."""
    machine.done("sh", "-c", f"mkdir -p {repositories}; rm -f {repositories}/*")
    repo = f"[tiny]\nname=tiny\nenabled=1\nbaseurl=file://{folder}/packages\ngpgcheck=0\n"
    machine.write(f"{repositories}/tiny.repo", f"{repo}autorefresh=1\nmetadata_expire=0\n")


def without_apt(machine: Machine) -> None:
    """Make the machine one of rpm."""
    machine.done("rm", "/usr/bin/apt-get")
    # Debian's rpm keeps a database for each user.
    machine.done("sh", "-c", "mkdir -p /etc/rpm; echo '%_dbpath /var/lib/rpm' > /etc/rpm/macros")
    machine.done("rpm", "--initdb")


def locks(machine: Machine) -> None:
    """Give dnf its plugin for locks; Debian lets the package of plugins not be installed beside zypper."""
    script = (
        f"dpkg-deb --fsys-tarfile {_plugins()} | tar -x -C / --wildcards '*versionlock*' '*dnfpluginscore*'"
    )
    machine.done("sh", "-c", script)


def _plugins() -> Path:
    """Return the package with dnf's plugins."""
    cache = root_file_system.cache()
    if not (found := sorted(cache.glob("dnf-plugins-core_*.deb"))):
        fetched = subprocess.run(
            ["apt-get", "download", "-q", "dnf-plugins-core"],
            cwd=cache,
            env=os.environ | {"LC_ALL": "C"},
            capture_output=True,
            text=True,
        )
        if fetched.returncode:
            pytest.skip(f"dnf-plugins-core cannot be downloaded: {fetched.stderr.strip()[-200:]}")
        found = sorted(cache.glob("dnf-plugins-core_*.deb"))
    return found[-1]
