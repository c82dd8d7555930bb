"""Work in processes of its own: it may crash, hang or be killed, and only its answer is missed."""

import ctypes
import json
import os
import select
import signal
import time

from codeblue_trials.bench import words

PR_SET_PDEATHSIG = 1
LONGEST = 1 << 20
"""Bytes of one answer."""


class Failed(Exception):
    """The process gave no answer. The text says how it ended."""


def alone(work, seconds):
    """Return what ``work()`` returns, as JSON carries it, from a fork of this process. Raises Failed."""
    [answer] = together([work], seconds)
    if "failed" in answer:
        raise Failed(answer["failed"])
    return answer["told"]


def together(works, seconds):
    """Run each function in a fork of its own, all at once.

    Return for each ``{"told": its result}``, or ``{"failed": how it ended}``; after ``seconds`` they
    are killed.
    """
    library = ctypes.CDLL(None)
    children = [_forked(work, library) for work in works]
    answers = {pipe: b"" for _, pipe in children}
    waiting = set(answers)
    end = time.time() + seconds
    while waiting and time.time() < end:
        for pipe in select.select(list(waiting), [], [], max(0.0, end - time.time()))[0]:
            chunk = os.read(pipe, 1 << 16)
            answers[pipe] += chunk
            if not chunk or len(answers[pipe]) > LONGEST:
                waiting.discard(pipe)
    return [_ended(pid, answers[pipe], pipe, pipe in waiting, seconds) for pid, pipe in children]


def _forked(work, library):
    reading, writing = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        tie(parent, library)
        os.close(reading)
        try:
            answer = {"told": work()}
        except BaseException as error:  # whatever it is, it is the answer
            answer = {"failed": words(error)}
        _all_of(writing, json.dumps(answer).encode("ascii"))
    finally:
        os._exit(0)


def tie(parent, library=None):
    """Let the kernel kill this process when its parent ends."""
    (library or ctypes.CDLL(None)).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(0)


def _all_of(descriptor, content):
    while content:
        content = content[os.write(descriptor, content) :]


def _ended(pid, answer, pipe, late, seconds):
    os.close(pipe)
    if late:
        os.kill(pid, signal.SIGKILL)
    try:
        return json.loads(answer.decode("ascii"))
    except ValueError:
        pass  # none, or half of one
    finally:
        status = _reaped(pid)
    if late:
        stuck = "; it cannot be killed (state D)" if status is None else ""
        return {"failed": "no answer within %g s%s" % (seconds, stuck)}
    if status is not None and os.WIFSIGNALED(status):
        return {"failed": "the process was ended by signal %d" % os.WTERMSIG(status)}
    return {"failed": "the process ended without an answer"}


def _reaped(pid):
    """Return the status of an ended process; None if it does not end, which is not waited for."""
    for _ in range(100):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.01)
    return None
