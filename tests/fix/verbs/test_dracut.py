"""initramfs-rebuild by the real dracut, for a kernel without modules; the image is as small as can be"""

import shutil

import pytest

from codeblue.model.remedy import Verb
from tests.conftest import thorough
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(not shutil.which("dracut"), reason="dracut is not installed"),
]

KERNEL = "6.1.0-99-test"
IMAGE = f"/boot/initramfs-{KERNEL}.img"
SMALL = """
dracutmodules=" base kernel-modules "
compress="cat"
do_strip="no"
do_hardlink="no"
early_microcode="no"
"""
PREPARE = f"""
rm -f /usr/sbin/update-initramfs
mkdir -p /boot /lib/modules/{KERNEL}/kernel
cd /lib/modules/{KERNEL}
touch modules.order modules.builtin modules.builtin.modinfo
depmod {KERNEL}
"""


@pytest.fixture
def trial(machine: Machine) -> Trial:
    """A kernel whose image is an old one."""
    machine.done("sh", "-ec", PREPARE)
    machine.write("/etc/dracut.conf.d/small.conf", SMALL)
    machine.write(IMAGE, "an old one", 0o600)
    return Trial(
        machine,
        Verb.INITRAMFS_REBUILD,
        {"kernel": KERNEL},
        state=lambda: machine.done("sha256sum", IMAGE),
        reset=lambda: machine.write(IMAGE, "an old one"),
        programs=[("dracut", "--force")],
        looks=["lsinitrd"],
    )


@thorough
def test_it_survives(trial: Trial) -> None:
    survives(trial)


def test_half_an_image_is_not_taken_for_one(trial: Trial) -> None:
    before = trial.before()
    trial.place.done("dracut", "--force", IMAGE, KERNEL)
    trial.place.done("truncate", "-s", "100K", IMAGE)

    assert trial.ask("verify")["value"] is False
    _, finished, verified = trial.calls("by_hand", "finish", "verify", before=before)
    assert finished["value"] == [0] and verified["value"] is True
