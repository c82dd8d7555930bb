"""A signal that comes while a program is being started leaves nothing behind."""

import subprocess
import sys
import time
from pathlib import Path

PROGRAM = """
import signal, sys, time
from codeblue.transport.starting import started
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
print("on", flush=True)
# The new process is there, and does not answer yet.
started(["sleep", "321.5"], preexec_fn=lambda: time.sleep(5))
"""


def test_nothing_is_left_of_a_program_that_was_just_started() -> None:
    running = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.readline()
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    until = time.monotonic() + 30
    while not (started := children.read_text().split()) and time.monotonic() < until:
        time.sleep(0.01)
    running.terminate()
    code = running.wait(60)
    running.stdout.close()

    assert code == 143
    assert started
    until = time.monotonic() + 20
    while any(_runs(pid) for pid in started) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(_runs(pid) for pid in started)


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False
