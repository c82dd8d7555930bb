"""The torch trial: import torch as the job does, then run a small kernel on each visible GPU."""

import ast
import os
import resource
import signal
import subprocess
import time

from codeblue_probe import running
from codeblue_probe.report import failed, state_of
from codeblue_probe.sonames import LIBRARIES, by_soname
from codeblue_probe.trials.torch_program import PROGRAM

SOURCE = "python -c 'import torch; …'"
NEEDED = 700 << 20
"""Bytes that a CUDA context and cuBLAS take; a GPU with less is left alone."""

WORDS = 4000
RESULT_LIMIT = 1 << 18
FACTS = "imported available count cuda cudnn arch_list error import_seconds kernel_seconds".split()
LAST_GASP = signal.SIGUSR2
"""Makes the child write its Python stack to its standard error."""


class TorchTrial:
    """Starts the import at once; touches no GPU before :meth:`finish`."""

    def __init__(self, context):
        self.context = context
        self.started = time.time()
        self.refused = None
        try:
            self._start()
        except Exception as error:
            self.refused = _not_started(error)

    def finish(self, order, deadline):
        """Let the child touch CUDA, wait ``deadline`` seconds at most, return the section.

        ``order`` is what :func:`wanted` says.
        """
        section = order if "state" in order else self.refused
        if section is None:
            try:
                section = self._finish(order, time.time() + deadline, deadline)
            except Exception as error:  # the rest of the answer must not be lost with it
                section = failed(error)
        self.drop()
        section["seconds"] = round(time.time() - self.started, 4)
        return section

    def drop(self):
        """End the child. Its GPU memory is given back while the answer travels; nobody waits for that."""
        if self.refused is None:
            running.stop(self.process, own_group=True, seconds=0)
            for stream in (self.process.stderr, self.result):
                stream.close()

    def _start(self):
        reading, writing = os.pipe()
        try:
            self.process = subprocess.Popen(
                [self.context.python, "-c", PROGRAM, str(writing), str(int(LAST_GASP))],
                stdin=subprocess.PIPE,
                stdout=running.NOTHING,
                stderr=subprocess.PIPE,
                cwd=running.folder(self.context),
                env=self.context.environment,
                pass_fds=(writing,),
                start_new_session=True,
                preexec_fn=self._prepare,
            )
        except Exception:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self.result = os.fdopen(reading, "rb", 0)

    def _prepare(self):
        try:
            # A crash must not leave a core file. 1 also keeps handlers that read cores from a pipe away.
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        except (ValueError, OSError):
            pass
        self.context.become()

    def _finish(self, order, until, seconds):
        self._send(order)
        answers, errors = bytearray(), bytearray()
        pipes = {self.result: answers, self.process.stderr: errors}
        running.collect(self.process, pipes, until, lambda: b"'end': True" in answers)
        ended = b"'end': True" in answers
        code = None
        if ended:
            # The last warnings are in the pipe already; the end of the process is not waited for.
            running.collect(self.process, pipes, time.time())
        else:
            code = self._stopped(pipes)
        section = _section(bytes(answers[:RESULT_LIMIT]), order)
        section["words"] = running.clean(bytes(errors)).strip()[-WORDS:]
        if not ended:
            section.update(_ending(code, section, seconds))
        if ended and not section.get("imported") and not section.get("error"):
            section["error"] = running.last_words(bytes(errors))
        return section

    def _send(self, order):
        try:
            self.process.stdin.write((ascii(order) + "\n").encode("ascii"))
            self.process.stdin.close()
        except OSError:
            pass  # it has ended already; its result says how

    def _stopped(self, pipes):
        """Return the exit code; a child that still runs is asked where it hangs, then killed."""
        code = self.process.poll()
        if code is not None:
            return code
        try:
            os.kill(self.process.pid, LAST_GASP)
        except OSError:
            pass
        running.collect(self.process, pipes, time.time() + 0.1)
        return None if running.stop(self.process, own_group=True) else "left"


def wanted(sections):
    """Return what the trial may do after what the earlier phases have read, or its section if nothing."""
    return _needless(sections) or _order(sections)


def _needless(sections):
    """Return the section if there is nothing to try, else None."""
    torch, python = sections.get("torch", {}), sections.get("python", {})
    if torch.get("state") == "absent":
        return {"state": "absent", "reason": torch.get("reason", "no torch")}
    if torch.get("hip"):
        return {"state": "unsupported", "reason": "a ROCm build of torch (%s)" % torch["hip"]}
    if torch.get("state") != "read" and python.get("state") != "read":
        return {"state": "not-attempted", "reason": "the interpreter was not read"}
    return None


def _not_started(error):
    """Return the section of a child that could not be started."""
    state = state_of(error)
    if isinstance(error, subprocess.SubprocessError):  # raised for whatever become() raised in the child
        state = "denied"
    return {"state": state, "reason": "%s: %s" % (type(error).__name__, error)}


def _order(sections):
    """Return what the child may do: nothing with CUDA, ask only, or kernels but on some GPUs."""
    order = {"libraries": LIBRARIES, "cuda": True, "kernels": True, "skip": []}
    nvml = sections.get("nvml", {})
    gpus = nvml.get("gpus") or {} if nvml.get("state") == "read" else {}
    modes = [gpu.get("compute_mode", "default") for gpu in gpus.values()]
    if any(mode.startswith("exclusive") for mode in modes):
        del order["cuda"], order["kernels"]
        return order
    taken = {gpu.get("pci") for gpu in gpus.values() if _busy(gpu)}
    if not taken:
        return order
    devices = sections.get("cuda", {}).get("devices") or {}
    order["skip"] = [int(index) for index, row in devices.items() if row.get("pci") in taken]
    # Without the addresses of the CUDA devices nobody knows which of them are the taken ones.
    if not all(row.get("pci") for row in devices.values()) or len(order["skip"]) == len(devices):
        del order["kernels"]
    return order


def _busy(gpu):
    free = gpu.get("memory_total", NEEDED) - gpu.get("memory_used", 0)
    return gpu.get("compute_mode", "default") != "default" or free < NEEDED


def _section(answers, order):
    """Return the section from the lines that the child has written."""
    told = {}
    devices = {}
    for line in answers.decode("ascii", "replace").split("\n"):
        try:
            facts = ast.literal_eval(line)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue  # an empty line, or one that a crash has cut
        if "device" in facts:
            devices[str(facts["device"])] = facts["row"]
        told.update(facts)
    section = {"state": "read", "source": SOURCE, "signal": None, "error": None}
    section.update({name: told[name] for name in FACTS if name in told})
    if "mapped" in told:
        section["libraries"] = by_soname(told["mapped"])
    if told.get("hip"):
        section.update(state="unsupported", reason="a ROCm build of torch (%s)" % told["hip"])
    elif section.get("imported"):
        section["unread"] = _unread(told, order, devices)
        if "devices" not in section["unread"]:
            section["devices"] = devices
    return section


def _unread(told, order, devices):
    """Return which of the facts about GPUs are missing, and why."""
    if "cuda" not in order:
        return {"available": "busy", "count": "busy", "devices": "busy"}
    unread = {name: "error" for name in ("available", "count") if name not in told}
    if "kernels" not in order and told.get("cuda"):
        unread["devices"] = "busy"
    elif "end" not in told and not devices:
        unread["devices"] = "error"
    return unread


def _ending(code, section, seconds):
    """Return what became of a child that did not come to its end."""
    where = "in CUDA calls" if section.get("imported") else "while importing torch"
    if code is None or code == "left":
        reason = "no answer within %g s, %s" % (seconds, where)
        if code == "left":
            reason += "; the process cannot be killed (state D) and was left behind"
        return {"state": "timeout", "reason": reason}
    ending = {"imported": section.get("imported", False)}
    if code < 0:
        ending["signal"] = _signal_name(-code)
    elif not section.get("error"):
        ending["error"] = "ended with status %d %s" % (code, where)
    return ending


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number
