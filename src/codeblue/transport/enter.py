"""Step into the namespaces of a process with no more rights than it has, and start the Python in there.

Run as a program by root: ``enter.py MARKER PID NAMESPACES FLAGS…``. A bare nsenter would hand the
rights of root on the whole machine to whatever calls itself python in a container.
"""

import ctypes
import json
import os
import sys
from collections.abc import Iterator

CAPBSET_READ, CAPBSET_DROP, SET_NO_NEW_PRIVS = 23, 24, 38
FOLDERS = "/usr/local/bin:/usr/bin:/bin:/opt/conda/bin"

libc = ctypes.CDLL(None, use_errno=True)


def main(marker: str, pid: str, namespaces: str, *flags: str) -> None:
    """Become a Python inside; a failure is printed as the probe's answer."""
    try:
        _enter(f"/proc/{pid}", namespaces.split(","), flags)
    except (FileNotFoundError, ProcessLookupError):
        reason = f"process {pid} is gone"
    except OSError as error:
        reason = f"process {pid} could not be entered: {error}"
    print(f"\n{marker}{json.dumps({'part': 'error', 'reason': reason})}", flush=True)  # noqa: T201


def _enter(process: str, namespaces: list[str], flags: tuple[str, ...]) -> None:
    folder = os.O_PATH | os.O_DIRECTORY
    own = os.open(process, folder)
    root, cwd = os.open(f"{process}/root", folder), os.open(f"{process}/cwd", folder)
    spaces = {name: os.open(f"{process}/ns/{name}", os.O_RDONLY) for name in namespaces if name}
    with open(f"{process}/environ", "rb") as stream:
        rows = [row.partition(b"=") for row in stream.read().split(b"\0")]
    environment = {name: value for name, _, value in rows if name}
    image = os.readlink(f"{process}/exe")
    # Numbers of groups as the machine counts them: inside, they may not be set any more.
    os.setgroups([int(number) for number in _status(own)["Groups"].split()])
    for name in sorted(
        spaces, key="user".__eq__
    ):  # the user namespace last: it takes the rights to the others
        _setns(spaces[name])
    rights = _status(own)
    os.fchdir(root)
    os.chroot(".")
    os.fchdir(cwd)
    if "pid" in spaces and (child := os.fork()):
        sys.exit(os.waitpid(child, 0)[1] != 0)
    _lower(int(rights["CapBnd"], 16), int(rights["Gid"].split()[1]), int(rights["Uid"].split()[1]))
    for path in _interpreters(image, environment):
        if os.access(path, os.X_OK):
            os.execve(path, [path, *flags], environment)  # noqa: S606
    raise OSError("there is no Python 3 inside")


def _status(folder: int) -> dict[str, str]:
    """Return the status, with users and groups as they are counted where we are now."""
    descriptor = os.open("status", os.O_RDONLY, dir_fd=folder)
    with open(descriptor, encoding="utf-8", errors="replace") as stream:
        pairs = [row.partition(":") for row in stream]
    return {name: value.strip() for name, _, value in pairs}


def _setns(descriptor: int) -> None:
    if libc.setns(descriptor, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _lower(bounding: int, gid: int, uid: int) -> None:
    for capability in range(64):
        held = libc.prctl(CAPBSET_READ, capability, 0, 0, 0)
        if held == 1 and not bounding >> capability & 1:
            _required(libc.prctl(CAPBSET_DROP, capability, 0, 0, 0))
    _required(libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)


def _required(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise PermissionError(code, os.strerror(code))


def _interpreters(image: str, environment: dict[bytes, bytes]) -> Iterator[str]:
    if os.path.basename(image).startswith(("python3", "pypy3")):
        yield image
    path = os.fsdecode(environment.get(b"PATH", b""))
    for folder in f"{path}:{FOLDERS}".split(":"):
        if folder.startswith("/"):
            yield f"{folder}/python3"


if __name__ == "__main__":
    main(*sys.argv[1:])
