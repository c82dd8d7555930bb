"""A repair that ends in a reboot, on a copy of this machine: nouveau holds a GPU that only /sys tells of.

The program that builds images is a stand-in, and so is the reboot: another boot id is put over the kernel's.
What the next boot starts with comes from a recording, since the copy looks like a container, which has none.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fix.verbs.machine import Machine
from tests.fix.verbs.test_initramfs import BUILD, IMAGE, KERNEL, LIST

pytestmark = pytest.mark.root

FAULT = "nouveau-owns-gpu"
CONF = "/etc/modprobe.d/blacklist-nouveau.conf"
GPU = "/sys/bus/pci/devices/0000:00:06.0"
BOOT = "/proc/sys/kernel/random/boot_id"
START = f"""set -e
mkdir -p /boot /lib/modules/{KERNEL}
echo kernel > /boot/vmlinuz-{KERNEL}
mount -t tmpfs none /sys/bus/pci/devices
mkdir {GPU}
echo 0x030200 > {GPU}/class
echo 0x10de > {GPU}/vendor
echo 0x2335 > {GPU}/device
printf '\\336\\020\\065\\043' > {GPU}/config
ln -s ../../drivers/nouveau {GPU}/driver
"""
REBOOT = f"""set -e
echo 11111111-2222-3333-4444-555555555555 > /srv/boot
mount --bind /srv/boot {BOOT}
"""
PLAN = f"""
from codeblue.cli import fixing
from codeblue.remedy.approvals import encoded
from tests.faults.next_boot import machine
from tests.faults.test_nouveau_owns_gpu import HELD

seen = machine({{"nouveau_disabled": {{}}, "kernel": {KERNEL!r}}}, pci=HELD)
made, refused = fixing.plan_for(fixing.diagnosed(seen, fixing.Where("local")), ({FAULT!r},), None)
assert not refused, refused
open("/srv/plan.json", "wb").write(encoded(made))
"""
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Machine]:
    """The copy of this machine, with the GPU and an image that was built before."""
    copy = Machine(tmp_path)
    copy.environment |= {"XDG_STATE_HOME": "/srv/state", "HOME": "/root"}
    try:
        copy.done("sh", "-c", START)
        copy.write("/usr/sbin/update-initramfs", BUILD, 0o755)
        copy.write("/usr/bin/lsinitramfs", LIST, 0o755)
        copy.write(IMAGE, "an old one", 0o600)
        yield copy
    finally:
        copy.end()


def codeblue(copy: Machine, *words: str, codes: tuple[int, ...]) -> str:
    """Run codeblue there; return what it prints."""
    done = copy.run([sys.executable, "-m", "codeblue", *words])
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout + done.stderr


def applied(copy: Machine) -> str:
    """Plan, approve and apply; return what was said."""
    copy.done(sys.executable, "-c", PLAN)
    plan = json.loads(copy.done("cat", "/srv/plan.json"))
    copy.write("/srv/ok.toml", APPROVAL.format(plan=plan["digest"]))
    saved = ("--plan", "/srv/plan.json", "--approval", "/srv/ok.toml")
    return codeblue(copy, "fix", *saved, "--apply", codes=(0,))


def notes(copy: Machine, lang: str = "en") -> list[str]:
    """Return what a check says beside its findings."""
    words = ("--lang", lang, "check", "--fast", "--format", "json")
    told = json.loads(codeblue(copy, *words, codes=(0, 1, 3)))
    return [note for note in told["notes"] if FAULT in note]


def events(copy: Machine) -> list[str]:
    """Return the events of the journal."""
    told = json.loads(codeblue(copy, "journal", "--format", "json", codes=(0,)))
    return [record["event"] for record in told["records"]]


def test_it_rests_until_the_boot_and_is_judged_after_it(copy: Machine) -> None:
    shown = applied(copy)

    assert "(needs a reboot, needs approval)" in shown and f"{FAULT}: awaits a reboot" in shown
    assert "reboot when the work on this machine allows it" in shown
    assert "blacklist nouveau" in copy.done("cat", CONF)
    assert KERNEL in copy.done("cat", IMAGE)
    assert events(copy)[-2:] == ["awaiting-reboot", "end"]
    assert any("awaits a reboot" in note for note in notes(copy))
    copy.done(sys.executable, "-c", PLAN)
    again = codeblue(copy, "fix", "--plan", "/srv/plan.json", "--apply", codes=(2,))
    assert "done already" in again
    assert events(copy).count("begin") == 1

    copy.done("sh", "-c", f"{REBOOT} rm {GPU}/driver; ln -s ../../drivers/nvidia {GPU}/driver")

    [note] = notes(copy, "zh")
    assert "有效" in note and "重启之后检查不再发现该故障" in note
    assert events(copy)[-2:] == ["fixed", "end"]
    assert notes(copy) == []


def test_one_that_did_not_help_stands_and_can_be_taken_back(copy: Machine) -> None:
    applied(copy)
    copy.done("sh", "-c", REBOOT)

    shown = codeblue(copy, "fix", FAULT, codes=(0,))

    assert "has not helped" in shown and "codeblue undo" in shown
    assert events(copy)[-2:] == ["not-fixed", "end"]
    codeblue(copy, "undo", codes=(0,))
    assert copy.done("cat", IMAGE) == "an old one"
    assert copy.run(["test", "-e", CONF]).returncode == 1


def test_apply_looks_itself(copy: Machine) -> None:
    applied(copy)
    copy.done("sh", "-c", f"{REBOOT} rm {GPU}/driver; ln -s ../../drivers/nvidia {GPU}/driver")

    assert "has helped" in codeblue(copy, "fix", FAULT, "--apply", codes=(0, 1))
    assert events(copy)[-2:] == ["fixed", "end"]


def test_before_the_boot_it_is_taken_back_exactly(copy: Machine) -> None:
    applied(copy)

    codeblue(copy, "undo", FAULT, codes=(0,))

    assert copy.done("cat", IMAGE) == "an old one"
    assert copy.run(["test", "-e", CONF]).returncode == 1
    assert notes(copy) == []
