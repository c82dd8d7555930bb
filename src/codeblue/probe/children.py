"""Killable children: whatever can hang, crash or change state runs in one, with a deadline."""

import json
import os
import select
import signal
import time

from codeblue_probe.report import failed


MOST_OPEN = 1024
"""No descriptor of the probe is higher."""


class Child:
    """A forked process in its own process group that computes one JSON value.

    ``prepare()`` returns the function that computes it, which runs as the judged user.

    A child that cannot be killed (state D) is left behind and reported, never waited for.
    """

    def __init__(self, name, prepare, deadline, become=None):
        self.name = name
        self.started = time.time()
        self.deadline = self.started + deadline
        self.limit = deadline
        self.chunks = []
        self.finished = None
        reading, writing = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if self.pid == 0:
            os.close(reading)
            _run(prepare, writing, become)
        os.close(writing)
        self.pipe = reading

    def feed(self):
        """Take what the child has written; True once it has closed its pipe."""
        chunk = os.read(self.pipe, 1 << 16)
        if chunk:
            self.chunks.append(chunk)
            return False
        self.finished = time.time()
        return True

    def result(self):
        """Return the section that the child produced, or what became of it."""
        os.close(self.pipe)
        if self.finished is None:
            return dict(_stop(self.pid, self.limit), seconds=round(time.time() - self.started, 4))
        status = os.waitpid(self.pid, 0)[1]
        section = _decode(b"".join(self.chunks), status)
        section["seconds"] = round(self.finished - self.started, 4)
        return section


def gather(children, then=None):
    """Wait for the children, each to its own deadline, and return name -> section.

    ``then(name, section)`` is told of each result as it comes and returns the children to add.
    """
    open_children = {child.pipe: child for child in children}
    sections = {}
    while open_children:
        left = min(child.deadline for child in open_children.values()) - time.time()
        ready = select.select(list(open_children), [], [], max(0.0, left))[0]
        ended = [pipe for pipe in ready if open_children[pipe].feed()]
        now = time.time()
        late = [pipe for pipe, child in open_children.items() if pipe not in ready and child.deadline <= now]
        for pipe in ended + late:
            child = open_children.pop(pipe)
            sections[child.name] = child.result()
            for follower in then(child.name, sections[child.name]) if then else ():
                open_children[follower.pipe] = follower
    return sections


def _run(prepare, pipe, become):
    status = 1
    try:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        # The pipes of the others: they would count against this child's limit of open files.
        os.closerange(3, pipe)
        os.closerange(pipe + 1, MOST_OPEN)
        try:
            function = prepare()
            if become:
                become()
            section = function()
        except Exception as error:  # the reader's failure is its result
            section = failed(error)
        _write(pipe, json.dumps(section).encode("utf-8"))
        status = 0
    finally:
        os._exit(status)


def _write(pipe, data):
    while data:
        data = data[os.write(pipe, data) :]


def _decode(data, status):
    if os.WIFSIGNALED(status):
        return {"state": "error", "reason": "killed by signal %d" % os.WTERMSIG(status)}
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError:
        return {"state": "error", "reason": "the reader ended without an answer"}


def _stop(pid, limit):
    reason = "no answer within %g s" % limit
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    for _ in range(20):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return {"state": "timeout", "reason": reason}
        except OSError:
            return {"state": "timeout", "reason": reason}
        time.sleep(0.01)
    return {
        "state": "timeout",
        "reason": reason + "; the process cannot be killed (state D) and was left behind",
    }
