"""Killable children: whatever can hang, crash or change state runs in one, with a deadline."""

import json
import os
import select
import signal
import time

from codeblue_probe.report import Unread, failed

MOST_OPEN = 1024
"""No descriptor of the probe is higher."""

MOST_BELOW = 1000
"""Processes that a child may have started before we no longer look for more."""

AT_WORK = set()
"""Children that have neither answered nor been stopped."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals at which the probe stops what it has started."""


class Child:
    """A forked process in its own process group that computes one JSON value.

    ``prepare()`` returns the function that computes it, which runs as the judged user.

    A child that ``hears`` gets what :meth:`tell` is given at its standard input.

    A child that cannot be killed (state D) is left behind and reported, never waited for.
    """

    def __init__(self, name, prepare, deadline, become=None, hears=False):
        self.name = name
        self.started = time.time()
        self.deadline = self.started + deadline
        self.limit = deadline
        self.chunks = []
        self.finished = None
        reading, writing = os.pipe()
        heard, self.voice = os.pipe() if hears else (None, None)
        try:
            self.pid = os.fork()
        except OSError:
            for pipe in (reading, writing, heard, self.voice):
                if pipe is not None:
                    os.close(pipe)
            raise
        if self.pid == 0:
            _run(prepare, writing, become, heard)
        os.close(writing)
        if hears:
            os.close(heard)
        self.pipe = reading
        AT_WORK.add(self.pid)

    def tell(self, document, deadline):
        """Say one JSON document to a child that hears, which has ``deadline`` seconds from now on."""
        try:
            os.write(self.voice, json.dumps(document).encode("utf-8"))
        except OSError:
            pass  # it has ended already; its result says how
        os.close(self.voice)
        self.limit = deadline
        self.deadline = time.time() + deadline

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
        AT_WORK.discard(self.pid)
        if self.finished is None:
            return dict(_stop(self.pid, self.limit), seconds=round(time.time() - self.started, 4))
        # A file that it has open may hang even when it is closed at the end.
        section = _decode(b"".join(self.chunks), _ended(self.pid) or 0)
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


def within(seconds, function, *late):
    """Return what ``function()`` says, a JSON value, from a child; the value ``late`` if it comes too late.

    Raises Unread for every other failure, and without ``late`` for that one too.
    """
    child = Child("", lambda: lambda: {"state": "read", "said": function()}, seconds)
    section = gather([child])[""]
    if section["state"] == "timeout" and late:
        return late[0]
    if section["state"] != "read":
        raise Unread(section["state"], section["reason"])
    return section["said"]


def stop_all():
    """Kill the children that are at work, without waiting for them."""
    for pid in AT_WORK:
        _kill(pid)


def _run(prepare, pipe, become, heard):
    status = 1
    try:
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        AT_WORK.clear()
        os.setpgid(0, 0)
        _silence(heard)
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


def _silence(heard):
    """Let nothing come in, but from the pipe ``heard``, and nothing go out."""
    try:
        coming = going = os.open(os.devnull, os.O_RDWR)
    except OSError:  # another root without devices: a pipe nobody writes to, and one that nobody reads
        coming, closed = os.pipe()
        os.close(closed)
        _, going = os.pipe()
    os.dup2(coming if heard is None else heard, 0)
    for standard in (1, 2):
        os.dup2(going, standard)


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


def _kill(pid):
    """Kill a child and all that it has started, in whatever group or session.

    All are stopped first: one that starts another in the meantime would leave it behind.
    """
    found, new = [], [pid]
    while new and len(found) < MOST_BELOW:
        for number in new:
            _send(os.kill, number, signal.SIGSTOP)
        found += new
        new = [number for number in _descendants(pid) if number not in found]
    _send(os.killpg, pid, signal.SIGKILL)
    for number in found:
        _send(os.kill, number, signal.SIGKILL)


def _send(kill, number, what):
    try:
        kill(number, what)
    except OSError:
        pass


def _descendants(pid):
    parents = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():  # another root may have none
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry, "rb") as stream:
                    parents[int(entry)] = int(stream.read(4096).rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):  # it has ended meanwhile
                continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def _stop(pid, limit):
    reason = "no answer within %g s" % limit
    _kill(pid)
    if _ended(pid) is None:
        reason += "; the process cannot be killed (state D) and was left behind"
    return {"state": "timeout", "reason": reason}


def _ended(pid):
    """Return the status of a child that is about to end, None if it does not within 0.2 s."""
    until = time.time() + 0.2
    pause = 0.0002
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        if time.time() >= until:
            return None
        time.sleep(pause)
        pause = min(0.01, pause * 2)
