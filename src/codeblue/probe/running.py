"""Start a program, watch it to a deadline, and stop it, if need be with all its children."""

import os
import re
import select
import signal
import subprocess
import time
from collections import namedtuple

from codeblue_probe.report import Unread

LIMIT = 1 << 20
LOG = 4 << 20
"""Bytes kept of the answer of a tool that may print a whole log."""

ADMIN_FOLDERS = ":/usr/local/sbin:/usr/sbin:/sbin"
"""An ordinary user's PATH often lacks the folders in which dmesg and its like live."""

NOTHING = subprocess.DEVNULL if os.path.exists(os.devnull) else None
"""Another root may have no devices: there a reader hands on its own standard streams, which lead nowhere."""

GRACE = 0.1
"""Seconds after the deadline in which what lies in the pipes is still taken."""

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Outcome = namedtuple("Outcome", "code output errors")
"""``code`` is None if the program was stopped at its deadline."""


def output(arguments, seconds):
    """Ask a system tool that only reads; return exit code, output and its first words of error.

    Of a long answer the end is kept: the newest lines of a log stand there.
    Raises FileNotFoundError if the tool is not installed, Unread if it did not end in time.
    """
    environment = dict(os.environ, LC_ALL="C")
    environment["PATH"] = environment.get("PATH", os.defpath) + ADMIN_FOLDERS
    argv = [_found(arguments[0], environment["PATH"])] + list(arguments[1:])
    outcome = run(argv, seconds, environment=environment, limit=LOG, end=True)
    if outcome.code is None:
        raise Unread("timeout", "%s: no answer within %g s" % (arguments[0], seconds))
    words = outcome.errors[:300].decode("utf-8", "replace").strip()
    return outcome.code, outcome.output.decode("utf-8", "replace"), words


def _found(name, path):
    for place in path.split(":"):
        if place and os.access(os.path.join(place, name), os.X_OK):
            return os.path.join(place, name)
    raise FileNotFoundError(2, "no such program", name)


def run(argv, seconds, cwd=None, environment=None, own_group=False, limit=LIMIT, end=False):
    """Run a program without input. Raises OSError if it cannot be started.

    ``own_group`` puts it into a session of its own, so that its children are stopped with it.
    Of each stream ``limit`` bytes are kept: the first ones, or the last ones if ``end``.
    """
    process = subprocess.Popen(
        argv,
        stdin=NOTHING,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment,
        close_fds=True,
        start_new_session=own_group,
    )
    answer, errors = bytearray(), bytearray()
    deadline = time.time() + seconds
    try:
        collect(process, {process.stdout: answer, process.stderr: errors}, deadline, limit=limit, end=end)
        code = process.poll()
    finally:
        stop(process, own_group)
        process.stdout.close()
        process.stderr.close()
    return Outcome(code, bytes(answer), bytes(errors))


def collect(process, pipes, deadline, enough=None, limit=LIMIT, end=False):
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
                _keep(pipes[pipe], chunk, limit, end)
            else:
                del pipes[pipe]
        if (not ready and (ended or left <= 0)) or left < -GRACE:
            return


def _keep(kept, chunk, limit, end):
    kept += chunk
    if end:
        del kept[: max(0, len(kept) - limit)]
    else:
        del kept[limit:]


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
