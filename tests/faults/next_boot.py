"""A machine with two kernels that will come back, to be changed by the tests of what would stop it."""

from typing import Any

from codeblue.model.snapshot import Snapshot
from tests.conftest import recording

RUNNING, NEXT = "6.8.0-9-generic", "6.8.0-40-generic"
FILE = "/etc/modprobe.d/nvidia.conf"
COMES_BACK = {
    "state": "read",
    "kernel": NEXT,
    "chosen_by": "grub",
    "entry": "Ubuntu",
    "parameters": [],
    "kernels": [RUNNING, NEXT],
    "modules": [f"/lib/modules/{NEXT}/updates/dkms/nvidia.ko"],
    "module_version": "580.159.04",
    "module_signed": True,
    "nouveau": True,
    "nouveau_disabled": {FILE: 1000.0},
    "dkms": {"nvidia/580.159.04": "installed"},
    "headers": True,
    "initramfs": f"/boot/initrd.img-{NEXT}",
    "initramfs_time": 2000.0,
    "initramfs_booted": False,
    "enabled": ["nvidia-fabricmanager", "nvidia-persistenced"],
    "reboot_required": False,
}


def machine(next_boot: dict[str, Any] | None = None, **changes: Any) -> Snapshot:
    """Return a healthy machine with a changed next boot; ``...`` makes a fact unread."""
    section = {key: value for key, value in (COMES_BACK | (next_boot or {})).items() if value is not ...}
    on_disk = {"on_disk": [f"/lib/modules/{RUNNING}/updates/dkms/nvidia.ko"], "built_in": False}
    host = {"kernel": RUNNING} | changes.pop("host", {})
    return recording("h200-healthy", **{"modules": on_disk, "next_boot": section, "host": host} | changes)
