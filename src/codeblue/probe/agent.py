"""Run the readers in strictly ordered phases and print the answer.

Phases: plain reads, opens, libraries, frameworks. Within a phase the readers run side by
side, each in a killable child. What concerns the Python environment touches no device and
runs beside the phases, from the start. So does the import of the torch trial, once the opens
are done; the trial touches no GPU before it gets the word, after the libraries phase. What
the next boot will bring is read on demand, beside the phases too, once the plain reads are done.
Trials are run on demand, last of all.
"""

import base64
import json
import os
import resource
import signal
import sys
import time
import zlib
from importlib import import_module

from codeblue_probe import files, readers
from codeblue_probe.children import ENDING, Child, gather, stop_all
from codeblue_probe.context import Context
from codeblue_probe.report import Unread, failed

FRAME = 600
"""Characters of an answer on one line: srun cuts at 1,024 with the label."""

TAKEN = 12
"""File descriptors that the probe needs beside one for each reader at work."""

SLACK = 1.0
"""Seconds beyond its own deadline in which the torch trial says where it hangs."""

INSIDE = (
    "python torch conda nvcc vgpu loader driver_files filesystems container login nodes cuda nvml fabric"
    " nvidia_smi torch_trial"
).split()
"""Sections that are told only by what is started as the judged process was, and among its files."""

PHASES = ("plain", "opens", "libraries", "frameworks")


class Probe:
    """One run over one target."""

    def __init__(self, config):
        self.context = Context(config)
        self.marker = config["marker"]
        self.framed = config.get("framed")
        self.started = time.time()
        self.sections = {}
        self.refused = []
        self.redactor = None
        self.room = max(1, min(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - TAKEN))

    def run(self):
        """Run all phases up to the wanted one; print a partial answer before the frameworks."""
        if self.context.root:
            self.from_outside()
            return
        if self.context.apart:
            unread = {"state": "not-attempted", "reason": self.context.apart[1]}
            self.sections.update((name, dict(unread)) for name in INSIDE)
        beside = self.children("beside")
        self.phase("plain")
        if self.context.next_boot:
            beside += self.children("next boot")
        if self.wants("opens"):
            self.phase("opens")
        self.trial = self.start_trial() if self.wants("frameworks") and not self.context.apart else None
        if self.wants("libraries"):
            beside += self.children("libraries")
        # Answers are kept: what is redacted while others are at work costs nothing at the end.
        self.redacted(self.sections)
        gather(beside, self.follow)
        self.catch_up()
        if self.wants("libraries"):
            nodes = import_module("codeblue_probe.readers.nodes")
            self.sections["nodes"] = nodes.nodes_after(self.sections["nodes"])
        if self.trial:
            self.answer("partial")
            self.finish_trial()
        if self.trial and self.context.trials:
            self.answer("partial")
            conductor = import_module("codeblue_probe.trials.conductor")
            conductor.conduct(self.context, self.context.trials, self.sections, self.tried)
        self.answer("final")

    def from_outside(self):
        """Look at the files below another root: a container or a folder in which nothing can be run."""
        outside = import_module("codeblue_probe.outside")
        named = {reader.section: reader for reader in readers.ALL}
        children = self.launch([named[name] for name in outside.of_machine(self.context)])
        self.catch_up()
        files.ROOT = self.context.root
        children += self.launch([named[name] for name in outside.below_root(self.context)])
        gather(children, self.follow)
        self.catch_up()
        outside.complete(self.context, self.sections, list(named) + ["torch_trial"])
        self.answer("final")

    def phase(self, name):
        """Run the readers of a phase side by side, as many at a time as there are file descriptors for."""
        waiting = self.readers(name)
        while waiting:
            now, waiting = waiting[: self.room], waiting[self.room :]
            gather(self.launch(now), self.follow)
            self.catch_up(last=False)

    def start_trial(self):
        """Start the torch trial, which imports and then waits for its order.

        In a child: the interpreter, or the folder that it is started in, may lie on a dead file system.
        """
        try:
            return Child("torch_trial", self.prepare_trial, self.context.budget, hears=True)
        except OSError as error:
            self.sections["torch_trial"] = failed(error)
            return None

    def prepare_trial(self):
        """Return what starts the trial and finishes it as ordered; runs in the child."""
        torch_trial = import_module("codeblue_probe.trials.torch_trial")

        def run():
            trial = torch_trial.TorchTrial(self.context)
            return trial.finish(*json.loads(os.read(0, 1 << 16).decode("utf-8")))

        return run

    def finish_trial(self):
        """Let the trial touch CUDA and wait for it."""
        left = max(1.0, self.left())
        order = import_module("codeblue_probe.trials.torch_trial").wanted(self.sections)
        self.trial.tell([order, left], left + SLACK)
        gather([self.trial], self.follow)

    def tried(self, name, section):
        """Keep what one trial has measured and tell it at once: the next one takes a while."""
        self.sections[name] = section
        self.answer("partial")

    def follow(self, name, section):
        """Keep a section; start the readers that needed the interpreter's."""
        self.sections[name] = section
        return self.children("after python") if name == "python" else []

    def wants(self, phase):
        """True if the run goes as far as this phase."""
        return PHASES.index(phase) <= PHASES.index(self.context.until)

    def left(self):
        """Seconds that remain of the budget."""
        return self.context.budget - (time.time() - self.started)

    def children(self, phase):
        """Start the readers of one phase side by side."""
        return self.launch(self.readers(phase))

    def readers(self, phase):
        """Return the readers of a phase whose sections are not settled yet."""
        return [one for one in readers.ALL if one.phase == phase and one.section not in self.sections]

    def launch(self, chosen):
        """Start these readers; those for which there is no process left now are caught up with later."""
        children = []
        for reader in chosen:
            try:
                children.append(self.child(reader))
            except OSError:
                self.refused.append(reader)
        return children

    def catch_up(self, last=True):
        """Run the readers that could not be started side by side, one after the other.

        Those that find no process even now wait for the next time, unless this is the last.
        """
        waiting, self.refused = self.refused, []
        for reader in waiting:
            try:
                gather([self.child(reader)], self.follow)
            except OSError as error:
                if last:
                    self.sections[reader.section] = failed(error)
                else:
                    self.refused.append(reader)

    def child(self, reader):
        """Start one reader; its module is compiled in the child, beside the others."""
        # The files of others' processes are shown to root alone.
        from_outside = self.context.root and self.context.process
        become = self.context.become if reader.as_user and not from_outside else None

        def prepare():
            # Imported before the child turns into another user, who may not be able to read our interpreter.
            module = import_module("codeblue_probe.readers." + reader.module)
            return lambda: module.read(self.context, self.sections).document()

        return Child(reader.section, prepare, max(0.1, min(reader.deadline, self.left())), become)

    def redacted(self, document):
        """Return a copy without private data; the rules are loaded when the readers are at work."""
        if self.redactor is None:
            redact = import_module("codeblue_probe.redact")
            self.redactor = redact.Redactor(self.context.salt, self.context)
        return self.redactor.document(document)

    def answer(self, part):
        """Print the document between its markers."""
        document = {
            "part": part,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.started)),
            "until": self.context.until,
            "seconds": round(time.time() - self.started, 4),
            "probe_python": "%d.%d.%d" % sys.version_info[:3],
            "sections": self.sections,
        }
        if self.context.without_gpu:
            document["without_gpu"] = True
        body = json.dumps(self.redacted(document), sort_keys=True)
        if self.framed:
            if part != "partial":
                framed(self.marker, body)
            return
        sys.stdout.write("\n%s%s\n" % (self.marker, body))
        sys.stdout.flush()


def main(config):
    """Answer in any case: a failure of the probe itself is printed as data."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(number, _stopped)
    try:
        Probe(config).run()
    except BrokenPipeError:
        os._exit(128 + signal.SIGPIPE)  # nobody listens any more, not even to a complaint
    except Unread as error:
        _error(config, str(error))
    except KeyError as error:
        _error(config, "no such user: %s" % error)
    except Exception as error:  # the sender must get an answer, whatever broke
        _error(config, "%s: %s" % (type(error).__name__, error))


def _stopped(number, frame):
    stop_all()
    os._exit(128 + number)


def _error(config, reason):
    body = json.dumps({"part": "error", "reason": reason})
    if config.get("framed"):
        framed(config["marker"], body)
    else:
        sys.stdout.write("\n%s%s\n" % (config["marker"], body))


def framed(marker, body):
    """Print an answer in short lines: launchers cut long ones, and mix the lines of many nodes."""
    text = base64.b64encode(zlib.compress(body.encode("utf-8"), 6)).decode("ascii")
    parts = [text[start : start + FRAME] for start in range(0, len(text), FRAME)]
    for number, part in enumerate(parts, 1):
        sys.stdout.write("\n%s%d/%d:%s\n" % (marker, number, len(parts), part))
    sys.stdout.flush()
