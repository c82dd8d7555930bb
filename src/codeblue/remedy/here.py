"""This host, this boot, this user: what a plan and a journal line are bound to."""

import getpass
import hashlib
import os
from pathlib import Path

MACHINE = ("/etc/machine-id", "/var/lib/dbus/machine-id")
BOOT = "/proc/sys/kernel/random/boot_id"


def host() -> str:
    """Return the machine id, hashed; the host's name stands in where there is none."""
    found = next((text for path in MACHINE if (text := _read(path))), os.uname().nodename)
    return _hashed(found)


def boot() -> str:
    """Return the boot id, hashed; inside a container it is the host's."""
    return _hashed(_read(BOOT))


def user() -> str:
    """Return who asked: the user behind sudo, if there is one."""
    name = os.environ.get("SUDO_USER")
    if name and os.geteuid() == 0:
        return f"{name} (sudo)"
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without an account
        return str(os.getuid())


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _hashed(text: str) -> str:
    return hashlib.sha256(f"codeblue {text}".encode()).hexdigest()[:16]
