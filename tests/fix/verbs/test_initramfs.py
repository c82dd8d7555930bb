"""initramfs-rebuild

The distribution's own program would take minutes and a kernel. A script stands in for it: it makes an archive
that the stand-in of lsinitramfs can list, and writes it beside and renames it, as the real one does.
"""

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

KERNEL = "6.1.0-99-test"
IMAGE = f"/boot/initrd.img-{KERNEL}"
BUILD = f"""#!/bin/sh
set -e
[ "$*" = "-u -k {KERNEL}" ]
[ ! -e /run/broken ] || {{ echo "E: /boot is full" >&2; exit 1; }}
echo usr/lib/modules/{KERNEL}/nvidia.ko > {IMAGE}.new
mv {IMAGE}.new {IMAGE}
"""
LIST = '#!/bin/sh\ncat "$1"\n'


@pytest.fixture
def trial(machine: Machine) -> Trial:
    """A kernel whose image is an old one."""
    machine.done("mkdir", "-p", "/boot")
    machine.write("/usr/sbin/update-initramfs", BUILD, 0o755)
    machine.write("/usr/bin/lsinitramfs", LIST, 0o755)
    machine.write(IMAGE, "an old one", 0o600)
    return Trial(
        machine,
        Verb.INITRAMFS_REBUILD,
        {"kernel": KERNEL},
        state=lambda: machine.done("cat", IMAGE),
        reset=lambda: machine.write(IMAGE, "an old one"),
        programs=[("update-initramfs", "-u")],
        looks=["lsinitramfs"],
    )


def test_it_survives(trial: Trial) -> None:
    survives(trial)


def test_a_failed_build_says_why_and_keeps_the_image(trial: Trial) -> None:
    trial.place.write("/run/broken", "")

    assert trial.ask("apply", before=trial.before())["failed"] == "update-initramfs: E: /boot is full"
    assert trial.state() == "an old one"


def test_an_image_that_somebody_built_since_stays(trial: Trial) -> None:
    _, applied = trial.calls("look", "apply")
    trial.place.write(IMAGE, "another")

    assert "changed since" in trial.ask("back", before=applied["value"])["refused"]
    assert trial.state() == "another"


@pytest.mark.parametrize("kernel", ["../etc", "6.1 -x", "-x", "5.0-none"])
def test_refused(machine: Machine, kernel: str) -> None:
    assert "refused" in machine.ask(Verb.INITRAMFS_REBUILD, "look", {"kernel": kernel})
