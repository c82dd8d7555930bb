"""One worker: import torch, wait for orders, run trials, tell rows.

Orders are JSON lines at the standard input, or stand in the settings where a launcher starts the workers.
Answers are JSON lines: on a descriptor of their own, or between other output behind a marker.
"""

import importlib
import json
import os
import socket
import sys
import time
import traceback

from codeblue_trials.bench import Bench, words

RANK = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
WORLD = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
LOCAL = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
"""Variables of torchrun, Open MPI, MPICH and Intel MPI, Slurm."""


WHOLE = 1500
"""Characters of an answer that go into one line: with quoting and tags it stays below the 4096 bytes that a
pipe takes as a whole."""


class Answers:
    """Where a worker's lines go."""

    def __init__(self, settings):
        self.descriptor = settings.get("result", 1)
        self.marker = settings.get("marker", "")
        self.sender = {"index": settings.get("index", 0), "rank": settings.get("rank", 0)}

    def write(self, **document):
        """Write one line; behind a marker, where many write to one pipe, short ones that stay whole."""
        text = json.dumps(dict(document, **self.sender))
        if not self.marker or len(text) < WHOLE:
            self.line(text)
            return
        pieces = [text[start : start + WHOLE] for start in range(0, len(text), WHOLE)]
        for number, piece in enumerate(pieces, start=1):
            told = {"piece": piece, "sender": self.sender["rank"], "last": number == len(pieces)}
            self.line(json.dumps(told))

    def line(self, text):
        """Write a line of its own, with one call."""
        os.write(self.descriptor, ("\n%s%s\n" % (self.marker, text)).encode("ascii"))


def main(settings):
    """Work until the orders end; leave without the interpreter's shutdown, which may hang in a library."""
    placed(settings)
    answers = Answers(settings)
    try:
        import torch
    except BaseException as error:  # whatever keeps torch from being imported is the answer
        answers.write(ready=False, error=words(error))
        os._exit(0)
    try:
        bench = prepared(torch, settings)
    except Exception as error:
        answers.write(ready=False, error=words(error))
        os._exit(0)
    answers.write(ready=True, host=host(), torch=torch.__version__, device=str(bench.device))
    for order in orders(settings):
        perform(bench, order, answers)
    answers.write(end=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def host():
    """Return the name by which the launcher knows this host, else its own."""
    return os.environ.get("SLURMD_NODENAME") or socket.gethostname()


def placed(settings):
    """Complete the settings with what the launcher says of this process."""
    for key, names in (("rank", RANK), ("world", WORLD), ("local", LOCAL)):
        told = [os.environ[name] for name in names if os.environ.get(name, "").isdigit()]
        if key not in settings and told:
            settings[key] = int(told[0])
    for name, value in settings.get("environment", {}).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if settings["device"] == "local":  # the launcher has set where we run; the number is the local rank's
        settings["index"] = settings.get("local", 0)
        settings["device"] = "cuda:%d" % settings["index"]


def prepared(torch, settings):
    """Return the bench, with a working context on the device."""
    settings["own_threads"] = torch.get_num_threads()
    if settings.get("threads"):
        torch.set_num_threads(settings["threads"])
    if settings["device"].startswith("cuda:"):
        visible = torch.cuda.device_count()
        if settings.get("launched"):  # a launcher may show each rank one GPU, or none
            settings["device"] = "cuda:%d" % (settings["index"] % visible) if visible else "cpu"
            settings["small"] = settings.get("small") or not visible
    bench = Bench(torch, settings, None)
    if bench.on_gpu:
        torch.cuda.set_device(bench.device)
        torch.ones(1, device=bench.device).item()
    return bench


def orders(settings):
    """Yield the orders as they come."""
    if "orders" in settings:
        yield from settings["orders"]
        return
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        yield json.loads(line)


def perform(bench, order, answers):
    """Run one trial. Its failure is part of its row and does not end the worker."""
    name = order["trial"]
    started = time.time()
    bench.tell = lambda **facts: answers.write(trial=name, row=facts)
    facts = {}
    try:
        importlib.import_module("codeblue_trials." + name).run(bench, order)
    except BaseException as error:  # out of memory, a lost GPU, a missing operator: all of it is a result
        sys.stderr.write(traceback.format_exc())
        facts["error"] = words(error)
    try:
        bench.forget()
    except Exception as error:
        facts.setdefault("error", words(error))
    facts["seconds"] = round(time.time() - started, 3)
    answers.write(trial=name, row=facts, done=True)
