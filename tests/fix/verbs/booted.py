"""A private copy of this machine in which systemd itself is the first process."""

import os
import time
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from tests.fix.verbs.machine import KERNEL, Machine

GROUPS = Path("/sys/fs/cgroup")
SYSTEMD = "/lib/systemd/systemd"
SECONDS = 10

TREE = r"""
set -e
mount -t tmpfs -o mode=0755 none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t tmpfs -o mode=0755 none "$1/root"
cd "$1/root"
mkdir proc sys dev run old
for place in /*; do
    name=${place#/}
    if [ -h "$place" ]; then
        cp -P "$place" "$name"
    elif [ -d "$place" ] && [ ! -e "$name" ]; then
        mkdir "$name" "$1/upper/$name" "$1/work/$name"
        mount -t overlay overlay -o "lowerdir=$place,upperdir=$1/upper/$name,workdir=$1/work/$name" "$name"
    fi
done
"""
"""Makes the copy folder by folder: a machine whose root is an overlay would be taken for a container."""
BOOT = r"""
group() {
    mkdir "$1/{name}" && echo 0 > "$1/{name}/cgroup.procs"
}
if [ -e /sys/fs/cgroup/cgroup.procs ]; then
    group /sys/fs/cgroup
else
    for top in /sys/fs/cgroup/*; do
        # No process may enter a cpuset that has no processors yet; systemd needs none.
        [ -h "$top" ] || [ "${top##*/}" = cpuset ] || group "$top"
    done
fi
exec unshare --cgroup sh -ec '
    mount -t sysfs -o ro none sys
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    rm -f etc/systemd/system/*.wants/* lib/systemd/system/*.wants/*
    : > etc/fstab
    pivot_root . old
    umount -l /old
    exec 2>/dev/null
    echo ready
    exec env -i container=codeblue-test PATH="$PATH" /lib/systemd/systemd --system --unit=basic.target \
        --log-target=null
'
"""
"""systemd gets control groups of its own, and starts nothing but what a test asks for.

Neither devices nor settings of the kernel are private to a namespace: it may only read them.
"""
READY = """
until systemctl is-system-running --quiet --wait; do sleep 0.05; done
rm /run/systemd/container
mount --bind /dev/null /proc/1/environ
"""
"""Told that it is in a container, systemd keeps off the hardware; all others take it for a machine."""


class Booted(Machine):
    """A machine that systemd runs; needs root, and control groups that may be written."""

    spaces = ("--mount", "--pid", "--uts")

    def __init__(self, folder: Path) -> None:
        self._name = f"codeblue-test-{token_hex(4)}"
        self.start = TREE + KERNEL + BOOT.replace("{name}", self._name)
        super().__init__(folder)
        self.done("sh", "-ec", READY)

    def root(self, base: Path) -> tuple[str, ...]:
        """Return nothing: its first process has made the copy the root of all mounts."""
        return ()

    def state(self, unit: str) -> str:
        """Return what systemd says of a unit: whether it runs."""
        return self.run(["systemctl", "is-active", unit]).stdout.strip()

    def end(self) -> None:
        """End it, and remove its control groups."""
        super().end()
        deadline = time.monotonic() + SECONDS
        while not self._groups_removed():
            assert time.monotonic() < deadline, f"processes are left in {self._name}"
            time.sleep(0.02)

    def _groups_removed(self) -> bool:
        """Remove its control groups; False as long as a process in them has not ended."""
        for top in [*GROUPS.glob(self._name), *GROUPS.glob(f"*/{self._name}")]:
            for group in sorted((one for one in top.rglob("*") if one.is_dir()), reverse=True):
                with suppress(OSError):
                    group.rmdir()
            with suppress(OSError):
                top.rmdir()
        return not [*GROUPS.glob(self._name), *GROUPS.glob(f"*/{self._name}")]


def unbootable() -> str | None:
    """Return why systemd cannot be started in a copy of this machine."""
    if os.geteuid() != 0:
        return "needs root to start systemd in a copy of this machine"
    if not os.path.exists(SYSTEMD):
        return "systemd is not installed"
    tops = [GROUPS] if (GROUPS / "cgroup.procs").exists() else [*GROUPS.glob("*/")]
    writable = all(os.access(top, os.W_OK) and not os.statvfs(top).f_flag & os.ST_RDONLY for top in tops)
    return None if writable and tops else "control groups are read-only here"
