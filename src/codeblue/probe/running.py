"""Start a program as the job would, watch it to a deadline, and stop it with all its children."""

import os
import re
import select
import signal
import subprocess
import time
from collections import namedtuple

LIMIT = 1 << 20
GRACE = 0.1
"""Seconds after the deadline in which what lies in the pipes is still taken."""

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Outcome = namedtuple("Outcome", "code output errors")
"""``code`` is None if the program was stopped at its deadline."""


def run(argv, seconds, cwd=None, environment=None, own_group=False):
    """Run a program without input. Raises OSError if it cannot be started.

    ``own_group`` puts it into a session of its own, so that its children are stopped with it.
    """
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment,
        close_fds=True,
        start_new_session=own_group,
    )
    output, errors = bytearray(), bytearray()
    deadline = time.time() + seconds
    try:
        collect(process, {process.stdout: output, process.stderr: errors}, deadline)
        code = process.poll()
    finally:
        stop(process, own_group)
        process.stdout.close()
        process.stderr.close()
    return Outcome(code, bytes(output), bytes(errors))


def collect(process, pipes, deadline, enough=None):
    """Read the pipes into their buffers until the process ends, ``enough()``, or the deadline.

    A process that lives on in a child may hold a pipe open after its own end: that is not waited for.
    """
    pipes = dict(pipes)
    while not (enough and enough()):
        ended = process.poll() is not None
        left = deadline - time.time()
        pause = 0 if ended or left <= 0 else min(left, 0.05 if pipes else 0.002)
        ready = select.select(list(pipes), [], [], pause)[0]
        for pipe in ready:
            chunk = os.read(pipe.fileno(), 1 << 16)
            if chunk:
                pipes[pipe] += chunk[: max(0, LIMIT - len(pipes[pipe]))]
            else:
                del pipes[pipe]
        if (not ready and (ended or left <= 0)) or left < -GRACE:
            return


def stop(process, own_group, seconds=0.2):
    """Kill a process (and its group); return False if it is not gone after that time (state D)."""
    if own_group:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
    elif process.poll() is None:
        process.kill()
    deadline = time.time() + seconds
    while process.poll() is None:
        if time.time() >= deadline:
            return False
        time.sleep(0.005)
    return True


def folder(context):
    """Return the job's working directory, or ``/`` where the judged user may not enter it."""
    return context.cwd if os.access(context.cwd, os.X_OK) else "/"


def clean(data):
    """Return bytes as text without control characters; line ends stay."""
    return CONTROL.sub("", data.decode("utf-8", "replace").replace("\r", "\n"))


def last_words(data, limit=300):
    """Return the last line that is not empty, at most ``limit`` characters."""
    rows = [row.strip() for row in clean(data).split("\n") if row.strip()]
    return rows[-1][:limit] if rows else ""
