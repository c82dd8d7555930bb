"""Lead the trials: one worker for each GPU in the job's interpreter, all at the same work at once."""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import subprocess
import time

from codeblue_probe import running
from codeblue_probe.children import AT_WORK
from codeblue_probe.trials.choosing import Refused, chosen

READY = 60.0
"""Seconds in which torch must be imported and a context made; on a cold disk that takes long."""

DEADLINES = {"gpu": 40, "memory": 60, "links": 60, "nccl": 90, "numerics": 90, "loader": 60}
"""Seconds after which a worker that has not finished its trial is ended."""

ALONE = ("links", "loader")
"""Trials that one worker does for the whole machine."""

TOGETHER = ("nccl",)
"""Trials that need all workers: if one is lost the others wait in vain."""

FRESH = ("numerics",)
"""Trials that need workers in which nothing has been tried: it is judged how the job's interpreter starts."""

LEFT_ALONE = 10.0
"""Seconds that the others get to end a trial of all together after one of them has failed."""

MOMENT = 1.0
"""Seconds between the last word of a process and its end."""

WORDS = 1 << 18
"""Bytes kept of what a worker prints."""

PR_SET_PDEATHSIG = 1


class Worker:
    """One process of the job's interpreter."""

    def __init__(self, context, program, settings, changed):
        self.index = settings["index"]
        self.rows = {}
        self.ready = None
        self.done = set()
        self.buffer = b""
        self.words = bytearray()
        self.errors = bytearray()
        reading, writing = os.pipe()
        argument = json.dumps(dict(settings, result=writing))
        try:
            self.process = subprocess.Popen(
                [context.python, "-c", program, argument],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=running.folder(context),
                env=_environment(context.environment, changed),
                pass_fds=(writing,),
                start_new_session=True,
                preexec_fn=_preparing(context),
            )
        finally:
            os.close(writing)
        AT_WORK.add(self.process.pid)
        self.result = os.fdopen(reading, "rb", 0)
        self.pipes = {self.result: self.hear, self.process.stdout: self.say, self.process.stderr: self.err}

    def order(self, order):
        """Give one order; a worker that has ended already is seen by its silence."""
        try:
            self.process.stdin.write((json.dumps(order) + "\n").encode("ascii"))
            self.process.stdin.flush()
        except OSError:
            pass

    def hear(self, chunk):
        """Take answers."""
        *lines, self.buffer = (self.buffer + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                self._take(json.loads(line.decode("ascii")))

    def say(self, chunk):
        """Take what it prints: the words of NCCL."""
        self.words += chunk[: max(0, WORDS - len(self.words))]

    def err(self, chunk):
        """Take what it complains about; the end matters."""
        self.errors += chunk
        del self.errors[: max(0, len(self.errors) - WORDS)]

    def _take(self, answer):
        if "ready" in answer:
            self.ready = answer
        elif "trial" in answer:
            self.rows.setdefault(answer["trial"], {}).update(answer["row"])
            if answer.get("done"):
                self.done.add(answer["trial"])

    def lost(self):
        """True if the process has ended, or has closed its answers."""
        return self.result not in self.pipes or self.process.poll() is not None

    def ending(self):
        """Return in words how it ended."""
        try:
            code = self.process.wait(MOMENT)  # its pipes close a little earlier
        except subprocess.TimeoutExpired:
            code = None
        if code is not None and code < 0:
            return "the worker was ended by signal %d" % -code
        return running.last_words(bytes(self.errors)) or "the worker ended with status %s" % code

    def stop(self):
        """End it with all it has started; return False if it cannot be killed."""
        if not self.pipes and self.process.poll() is not None:
            return True
        self.pipes = {}
        AT_WORK.discard(self.process.pid)
        gone = running.stop(self.process, own_group=True, seconds=2.0)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr, self.result):
            try:
                stream.close()
            except OSError:
                pass  # the last order was never read
        return gone


class _Broken:
    """Notices that one of those who must work together has failed: the others wait for nothing then."""

    def __init__(self, workers, trial):
        self.workers = workers
        self.trial = trial
        self.since = None

    def until(self):
        """Return until when the others are waited for."""
        if self.since is None and any(_failed(worker, self.trial) for worker in self.workers):
            self.since = time.time()
        return float("inf") if self.since is None else self.since + LEFT_ALONE


def _failed(worker, trial):
    """True if a worker has ended without an answer, or with an error."""
    if trial in worker.done:
        return bool(worker.rows.get(trial, {}).get("error"))
    return worker.lost()


class Crew:
    """All workers of one run."""

    def __init__(self, context, wanted, devices, changed=None):
        self.context = context
        self.changed = changed or {}
        self.wanted = wanted
        self.devices = devices
        self.deadlines = dict(DEADLINES, **wanted.get("deadlines", {}))
        self.workers = [self._started(number) for number in range(len(devices))]
        self._until(time.time() + READY, self.workers, lambda worker: worker.ready is not None)

    def _started(self, number):
        device = dict(self.devices[number], rank=number, world=len(self.devices))
        device["small"] = bool(self.wanted.get("small")) or device["device"] == "cpu"
        if device["device"] == "cpu":
            device["threads"] = max(1, (os.cpu_count() or 1) // len(self.devices))
        return Worker(self.context, self.wanted["worker"], device, self.changed)

    def run(self, trial):
        """Run one trial on the workers that it concerns; return its rows by the number of the device."""
        crew = self.workers[:1] if trial in ALONE or self.devices[0]["device"] == "cpu" else self.workers
        if trial in TOGETHER:
            crew = self.workers
        crew = self._alive(crew, trial in FRESH)
        order = dict(self.wanted.get("options", {}).get(trial, {}), trial=trial, devices=self.devices)
        if trial in ALONE:
            order["gpus"] = {str(one["index"]): one["pci"] for one in self.devices if "pci" in one}
        able = [worker for worker in crew if worker.ready and worker.ready["ready"]]
        port = _free_port() if trial in TOGETHER else None
        for worker in able:
            del worker.words[:], worker.errors[:]
            worker.order(dict(order, rank=able.index(worker), world=len(able), port=port))
        broken = _Broken(able, trial) if trial in TOGETHER else None
        self._until(time.time() + self.deadlines[trial], able, lambda worker: trial in worker.done, broken)
        return {str(worker.index): self._row(worker, trial) for worker in crew}

    def _alive(self, crew, fresh):
        """Return the workers, new ones for those that have ended; for all at work so far if ``fresh``."""
        places = [self.workers.index(worker) for worker in crew]
        again = [place for place in places if not self._can_go_on(self.workers[place], fresh)]
        for place in again:
            self.workers[place].stop()
            self.workers[place] = self._started(place)
        started = [self.workers[place] for place in again]
        self._until(time.time() + READY, started, lambda worker: worker.ready is not None)
        return [self.workers[place] for place in places]

    def _can_go_on(self, worker, fresh):
        return not worker.lost() and worker.ready and worker.ready["ready"] and not (fresh and worker.done)

    def _row(self, worker, trial):
        row = dict(worker.rows.get(trial, {}))
        if trial not in worker.done:
            row["error"] = self._silence(worker, trial)
            if not worker.stop():
                row["error"] += "; the process cannot be killed (state D) and was left behind"
        if worker.ready and not worker.ready["ready"]:
            row["error"] = worker.ready["error"]
        return row

    def _silence(self, worker, trial):
        """Return in words why a worker has not finished."""
        if worker.lost():
            return worker.ending()
        others = [one for one in self.workers if one is not worker]
        if trial in TOGETHER and any(_failed(one, trial) for one in others):
            return "it waited in vain for another rank, which failed"
        return "no answer within %d s" % self.deadlines[trial]

    def _until(self, deadline, workers, there, broken=None):
        """Hear the workers until each is there, lost, or the time is over."""
        while True:
            waiting = [one for one in workers if not there(one) and not one.lost()]
            left = min(deadline, broken.until() if broken else deadline) - time.time()
            pipes = {pipe: one for one in self.workers for pipe in one.pipes}
            ready = select.select(list(pipes), [], [], max(0.0, min(left, 0.1)) if waiting else 0)[0]
            for pipe in ready:
                worker = pipes[pipe]
                chunk = os.read(pipe.fileno(), 1 << 16)
                worker.pipes[pipe](chunk) if chunk else worker.pipes.pop(pipe)
            if not ready and (not waiting or left <= 0):
                return

    def stop(self):
        """End all workers."""
        for worker in self.workers:
            worker.stop()


def conduct(context, wanted, sections, follow):
    """Run the wanted trials in their order; ``follow(section name, section)`` is told of each as it ends."""
    try:
        devices, passed_over = chosen(sections, wanted)
    except Refused as why:
        for trial in wanted["trials"]:
            follow(trial + "_trial", {"state": why.state, "reason": str(why)})
        return
    crew = Crew(context, wanted, devices)
    try:
        for trial in wanted["trials"]:
            section = dict(_section(crew, trial), state="read", source="codeblue trial " + trial)
            section["passed_over"] = passed_over
            if trial in wanted.get("changed", {}):
                section["again"] = _again(crew, trial, wanted["changed"][trial])
            follow(trial + "_trial", section)
    finally:
        crew.stop()


def _section(crew, trial):
    """Run a trial; return its rows, and the words of those who work together."""
    started = time.time()
    section = {"devices": crew.run(trial)}
    section["seconds"] = round(time.time() - started, 3)
    if trial in TOGETHER:
        section["words"] = "\n".join(
            running.clean(bytes(worker.words + b"\n" + worker.errors)) for worker in crew.workers
        )
    return section


def _again(crew, trial, changed):
    """Run a trial once more with variables changed; the crew makes room, its next trial starts it anew."""
    crew.stop()
    other = Crew(crew.context, crew.wanted, crew.devices, changed)
    try:
        return dict(_section(other, trial), changed=changed)
    finally:
        other.stop()


def _free_port():
    """Return a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _environment(environment, changed):
    """Return the job's environment, in which NCCL says which way it takes, and says it to us.

    ``changed`` are variables to be set, or for None to be removed.
    """
    told = dict(environment, NCCL_DEBUG="INFO", PYTHONUNBUFFERED="1")
    for name in ("NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS"):
        told.pop(name, None)
    told.update(changed)
    return {name: value for name, value in told.items() if value is not None}


def _preparing(context):
    """Return what a worker does before it becomes the interpreter: it must not outlive us."""
    libc = ctypes.CDLL(None)

    def prepare():
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))  # a crash must not leave a core file
        except (ValueError, OSError):
            pass
        context.become()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    return prepare
