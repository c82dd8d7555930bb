"""packages"""

import gzip
import time
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import VERSIONS, interpreters, section, tree

TODAY = time.strftime("%Y-%m-%d")
STATUS = """Package: libnvidia-compute-580
Status: hold ok installed
Architecture: amd64
Version: 580.95.05-0ubuntu0.24.04.2
Description: secret

Package: nvidia-dkms-580
Status: install ok half-configured
Version: 580.95.05-0ubuntu0.24.04.2

Package: nvidia-utils-550
Status: deinstall ok config-files
Version: 550.54.14-0ubuntu1

Package: alices-editor
Status: install ok installed
Version: 1.0
"""
LOG = f"""{TODAY} 09:00:00 startup archives unpack
{TODAY} 09:00:01 upgrade libnvidia-compute-580:amd64 580.82.07-1 580.95.05-1
{TODAY} 09:00:02 status installed libnvidia-compute-580:amd64 580.95.05-1
{TODAY} 09:00:03 install alices-editor:amd64 <none> 1.0
{TODAY} 09:00:04 purge nvidia-utils-550:amd64 550.54.14-1 <none>
"""


EXCLUDED = """Unattended-Upgrade::Package-Blacklist {
//  "vim";
    "nvidia";
    "libc6$";
};
"""


def ubuntu(root: Path) -> Path:
    old = gzip.compress(b"2020-01-01 00:00:00 install libcuda1:amd64 <none> 1\n")
    recent = gzip.compress(
        f"{TODAY} 08:00:00 install linux-image-6.8.0-60-generic:amd64 <none> 6.8.0-60.63\n".encode()
    )
    return tree(
        root,
        {
            "/var/lib/dpkg/status": STATUS,
            "/var/log/dpkg.log": LOG,
            "/var/log/dpkg.log.2.gz": recent,
            "/var/log/dpkg.log.3.gz": old,
            "/etc/apt/apt.conf.d/20auto-upgrades": 'APT::Periodic::Unattended-Upgrade "1";\n',
            "/etc/apt/apt.conf.d/50unattended-upgrades": EXCLUDED,
        },
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_packages_of_debian_and_ubuntu(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")

    packages = section(facts.Packages, ubuntu(tmp_path), python=python)

    assert set(packages.installed) == {"libnvidia-compute-580", "nvidia-dkms-580"}
    library = packages.installed["libnvidia-compute-580"]
    assert (library.version, library.held, library.whole) == ("580.95.05-0ubuntu0.24.04.2", True, True)
    assert not packages.installed["nvidia-dkms-580"].whole
    assert [(c.action, c.package, c.old, c.new) for c in packages.changes or ()] == [
        ("install", "linux-image-6.8.0-60-generic", None, "6.8.0-60.63"),
        ("upgrade", "libnvidia-compute-580", "580.82.07-1", "580.95.05-1"),
        ("remove", "nvidia-utils-550", "550.54.14-1", None),
    ]
    assert packages.unattended
    assert packages.unattended_excluded == ["nvidia", "libc6$"]


def test_the_last_word_about_upgrades_counts(tmp_path: Path) -> None:
    root = ubuntu(tmp_path)
    tree(root, {"/etc/apt/apt.conf.d/99-off": 'APT::Periodic::Unattended-Upgrade "0";\n'})
    tree(root, {"/etc/apt/apt.conf.d/99-on.dpkg-old": 'APT::Periodic::Unattended-Upgrade "1";\n'})

    assert not section(facts.Packages, root).unattended


RPM = (
    "answer = 'nvidia-driver-cuda-libs\\t580.95.05-1.el9\\nbash\\t5.1-9\\n'\n"
    "reader.output = lambda argv, seconds: (%d, answer, 'no')"
)


def test_packages_of_rpm(tmp_path: Path) -> None:
    log = f"""{TODAY}T09:00:00+0000 SUBDEBUG Upgrade: kernel-core-5.14.0-427.el9.x86_64
{TODAY}T09:00:01+0000 SUBDEBUG Erase: kmod-nvidia-open-dkms-3:575.51.03-1.el9.noarch
{TODAY}T09:00:02+0000 SUBDEBUG Installed: vim-9.0-1.x86_64
"""
    root = tree(tmp_path, {"/var/lib/rpm/rpmdb.sqlite": "", "/var/log/dnf.rpm.log": log})

    packages = section(facts.Packages, root, before=RPM % 0)

    assert {name: row.version for name, row in packages.installed.items()} == {
        "nvidia-driver-cuda-libs": "580.95.05-1.el9"
    }
    assert [(c.action, c.package, c.old, c.new) for c in packages.changes or ()] == [
        ("upgrade", "kernel-core", None, "5.14.0-427.el9"),
        ("remove", "kmod-nvidia-open-dkms", "3:575.51.03-1.el9", None),
    ]
    with pytest.raises(NotRead):
        assert packages.unattended


def test_a_tool_that_fails_is_not_an_empty_machine(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/var/lib/rpm/rpmdb.sqlite": ""})

    assert section(facts.Packages, root, before=RPM % 1).state == "error"


def test_no_history_is_absent_and_no_manager_too(tmp_path: Path) -> None:
    assert section(facts.Packages, tmp_path).state == "absent"
    root = tree(tmp_path, {"/var/lib/dpkg/status": STATUS})
    assert section(facts.Packages, root).changes is None


def test_this_machine() -> None:
    packages = section(facts.Packages, "")

    assert packages.state in ("read", "absent")
    assert not packages.unread
