"""What an experiment is, and how one runs: inject, run the workload, check, record."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from lab.hooks import changed_torch
from lab.scene import Scene
from lab.workloads import program

NOBODY = 65534
CHECK_SECONDS = 120


class Experiment(Struct, frozen=True, kw_only=True):
    """One fault or control."""

    name: str
    expect: str | None
    """The fault that must be the first cause; None is a working control."""
    inject: Callable[["Stage"], None] | None = None
    environment: dict[str, str | None] = {}
    """None takes a variable away."""
    limits: dict[int, int] = {}
    files: dict[str, str] = {}
    """Files in the working directory."""
    workload: str | None = None
    """Program whose output is given with --log."""
    root: bool = False
    gpus: int = 1
    """GPUs that the machine must have."""
    box: tuple[str, ...] | None = None
    """Look into a container-like view that lacks these nodes."""
    box_shm: str = "1g"
    as_user: str | None = None
    """Look as root, but judge for this user."""
    interpreter: str | None = None
    before: str | None = None
    """Program that is started before the workload and keeps running during the check."""
    trial: tuple[str, ...] = ()
    """Arguments of ``codeblue trial``, which is then run in place of ``check``."""
    hook: str | None = None
    """What is run over ``module``, which is torch, wherever it is imported."""


class Stage:
    """Where one experiment happens."""

    def __init__(self, experiment: Experiment, python: str, scratch: Path, home: Path) -> None:
        self.experiment = experiment
        self.python = python
        self.scene = Scene(scratch)
        self.home = home
        self.environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
        self.log: Path | None = None
        self.facts = home / "job" / "trial.json"
        self.root: Path | None = None
        """Root of the container-like view, if the experiment has one."""
        self.cleanup: list[Callable[[], None]] = []

    def set_up(self) -> None:
        """Inject the fault."""
        for name, content in self.experiment.files.items():
            path = self.home / "job" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        if self.experiment.inject:
            self.experiment.inject(self)
        if self.experiment.box is not None:
            self.root = self.scene.container(self.experiment.box, self.experiment.box_shm)
        if self.experiment.hook:
            folder = changed_torch(self.home / "job", self.experiment.hook)["PYTHONPATH"]
            self.environment["PYTHONPATH"] = f"{folder}:{self.environment.get('PYTHONPATH', '')}"
        for name, value in self.experiment.environment.items():
            if value is None:
                self.environment.pop(name, None)
            else:
                self.environment[name] = value

    def start(self, arguments: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        """Start a program as the user of the experiment."""
        return subprocess.Popen(
            arguments, cwd=self.home / "job", env=self.environment, preexec_fn=self._become, **options
        )

    def _become(self) -> None:
        for kind, value in self.experiment.limits.items():
            resource.setrlimit(kind, (value, value))
        if not self.experiment.root:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    def run_workload(self) -> None:
        """Run the failing job and keep what it says."""
        if self.experiment.workload is None:
            return
        self.log = self.home / "job" / "train.log"
        with self.log.open("wb") as output:
            arguments = [self.python, "-c", program(self.experiment.workload)]
            job = self.start(arguments, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            code = job.wait(CHECK_SECONDS)
            if code < 0:
                output.write(f"exit code {code}\n".encode())

    def check(self) -> dict[str, Any]:
        """Run ``codeblue check`` and return its document with the seconds it took."""
        target = f"python:{self.experiment.interpreter or self.python}"
        if self.root:
            target = f"chroot:{self.root}"
        arguments = [sys.executable, "-m", "codeblue", "check", target, "--format", "json"]
        if self.experiment.trial:
            arguments[3:5] = ["trial", *self.experiment.trial, "--on", target, "--snapshot", str(self.facts)]
        if self.experiment.as_user:
            arguments += ["--as-user", self.experiment.as_user]
        if self.log:
            arguments += ["--log", str(self.log)]
        started = time.monotonic()
        checked = self.start(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = checked.communicate(timeout=CHECK_SECONDS)
        if checked.returncode not in (0, 1, 3):
            raise RuntimeError(f"exit code {checked.returncode}: {err.decode()[-2000:]}")
        document: dict[str, Any] = json.loads(out)
        return document | {"wall": round(time.monotonic() - started, 2), "exit": checked.returncode}

    def recording(self) -> bytes:
        """Return the snapshot that the check remembered, or that the trial wrote."""
        if self.experiment.trial:
            return self.facts.read_bytes()
        [path] = (self.home / "state" / "codeblue" / "last").glob("*.json")
        return path.read_bytes()


def perform(experiment: Experiment, python: str) -> dict[str, Any]:
    """Run one experiment: inject, let the job fail, check, record."""
    return isolated(experiment, python, _checked)


def isolated(experiment: Experiment, python: str, act: Callable[[Stage], dict[str, Any]]) -> dict[str, Any]:
    """Do something on the stage of an experiment, in a forked process of its own; return what it gives."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(_guarded(experiment, python, act)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    result: dict[str, Any] = json.loads(content)
    return result


def _guarded(experiment: Experiment, python: str, act: Callable[[Stage], dict[str, Any]]) -> dict[str, Any]:
    try:
        with tempfile.TemporaryDirectory(prefix="codeblue-lab-") as scratch:
            return _performed(experiment, python, Path(scratch), act)
    except Exception as error:  # one experiment that cannot be made must not end the others
        return {"error": f"{type(error).__name__}: {error}"}


def _performed(
    experiment: Experiment, python: str, scratch: Path, act: Callable[[Stage], dict[str, Any]]
) -> dict[str, Any]:
    home = Path(tempfile.mkdtemp(prefix="codeblue-home-"))
    (home / "job").mkdir()
    stage = Stage(experiment, python, scratch, home)
    _give(home)
    try:
        return act(stage)
    finally:
        for undo in reversed(stage.cleanup):
            undo()
        subprocess.run(["umount", "-l", str(scratch)], check=False)
        subprocess.run(["rm", "-rf", str(home)], check=False)


def _checked(stage: Stage) -> dict[str, Any]:
    stage.set_up()
    if stage.experiment.before:
        _keep_running(stage, stage.experiment.before)
    stage.run_workload()
    result = stage.check()
    return {"document": result, "recording": stage.recording().decode()}


def _give(home: Path) -> None:
    os.chown(home, NOBODY, NOBODY)
    os.chown(home / "job", NOBODY, NOBODY)


def _keep_running(stage: Stage, workload: str) -> None:
    arguments = [stage.python, "-c", program(workload)]
    job = stage.start(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert job.stdout is not None
    job.stdout.readline()
    stage.cleanup.append(job.kill)
