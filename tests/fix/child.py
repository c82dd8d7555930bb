"""Run a part of a test in a child: as another user, or in a mount namespace of its own."""

import ctypes
import os
import subprocess
import traceback
from collections.abc import Callable

NOBODY = 65534
SET_DUMPABLE = 4
NEW_MOUNTS = 0x20000


def in_child(work: Callable[[], None]) -> None:
    """Run the work in a fork; fail with what it raised."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        except BaseException:  # noqa: BLE001 - told to the parent, which raises it
            os.write(write, traceback.format_exc().encode()[-4000:])
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as said:
        words = said.read().decode()
    _, status = os.waitpid(pid, 0)
    assert not status, words


def become_nobody() -> None:
    """Go on as a user without rights, who owns this process as if he had started it."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    assert ctypes.CDLL(None).prctl(SET_DUMPABLE, 1, 0, 0, 0) == 0


def leave_mounts() -> None:
    """Let mounts from now on be seen by this process only."""
    assert ctypes.CDLL(None).unshare(NEW_MOUNTS) == 0
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
