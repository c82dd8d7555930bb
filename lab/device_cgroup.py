"""A cgroup v2 that denies one device major number to the process inside."""

import ctypes
import os
import platform
import struct
from pathlib import Path

BPF_SYSCALL = {"x86_64": 321, "aarch64": 280}
PROG_LOAD, PROG_ATTACH = 5, 8
PROG_TYPE_CGROUP_DEVICE, ATTACH_CGROUP_DEVICE = 15, 6
"""Numbers from linux/bpf.h."""

CGROUPS = Path("/sys/fs/cgroup")


def _instruction(code: int, registers: int, offset: int, value: int) -> bytes:
    return struct.pack("<BBhi", code, registers, offset, value)


def _program(major: int) -> bytes:
    return b"".join(
        (
            _instruction(0x61, 0x12, 4, 0),  # r2 = context->major
            _instruction(0xB7, 0x00, 0, 1),  # r0 = 1: allow
            _instruction(0x55, 0x02, 1, major),  # if r2 != major: skip one
            _instruction(0xB7, 0x00, 0, 0),  # r0 = 0: deny
            _instruction(0x95, 0x00, 0, 0),  # exit
        )
    )


def deny(major: int, name: str) -> Path:
    """Move this process into a new group that denies the major number; return the group's folder.

    Raises OSError where the kernel has no cgroup v2 or no device programs.
    """
    group = CGROUPS / name
    group.mkdir()
    code, licence = _program(major), ctypes.create_string_buffer(b"GPL")
    instructions = ctypes.create_string_buffer(code, len(code))
    attributes = struct.pack(
        "<IIQQ",
        PROG_TYPE_CGROUP_DEVICE,
        len(code) // 8,
        ctypes.addressof(instructions),
        ctypes.addressof(licence),
    )
    program = _bpf(PROG_LOAD, attributes)
    folder = os.open(group, os.O_RDONLY)
    _bpf(PROG_ATTACH, struct.pack("<IIII", folder, program, ATTACH_CGROUP_DEVICE, 0))
    os.close(folder)
    (group / "cgroup.procs").write_text(str(os.getpid()))
    return group


def leave(group: Path) -> None:
    """Move this process back to the root group and remove the group, which frees its program."""
    (CGROUPS / "cgroup.procs").write_text(str(os.getpid()))
    group.rmdir()


def _bpf(command: int, attributes: bytes) -> int:
    buffer = ctypes.create_string_buffer(attributes.ljust(128, b"\0"), 128)
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = libc.syscall(BPF_SYSCALL[platform.machine()], command, buffer, 128)
    if result < 0:
        raise OSError(ctypes.get_errno(), "bpf: " + os.strerror(ctypes.get_errno()))
    return result
