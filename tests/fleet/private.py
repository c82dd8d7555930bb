"""Private daemons of a test: on free ports, in a folder of their own, ended with it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import codeblue

SOURCE = Path(codeblue.__file__).parents[1]
SECONDS = 60.0


def free_ports(count: int) -> list[int]:
    """Return ports of 127.0.0.1 on which nobody listens."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def until(
    what: Callable[[], Any], seconds: float = SECONDS, told: Callable[[], str] = lambda: "not in time"
) -> Any:
    """Return what ``what()`` gives as soon as it gives anything; ``told`` says how things stand."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, told()
        time.sleep(0.1)
    return found


class Daemons:
    """Programs in the background."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.environment = {**os.environ, **(environment or {}), "LC_ALL": "C.UTF-8"}
        self.environment |= {"XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(SOURCE)}
        self.prefix: tuple[str, ...] = ()
        """Words that start codeblue somewhere else."""
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *command: str) -> None:
        """Start a daemon, after an earlier one of its name has ended; what it says goes to a file."""
        if name in self._children:
            self._children[name].wait(SECONDS)
        with (self.folder / f"{name}.out").open("wb") as out:
            self._children[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self.environment,
                start_new_session=True,
            )

    def pid(self, name: str) -> int:
        """Return the process of a daemon."""
        return self._children[name].pid

    def said(self, name: str) -> str:
        """Return what a daemon has said."""
        return (self.folder / f"{name}.out").read_text(encoding="utf-8", errors="replace")

    def stop(self, name: str) -> None:
        """Let a daemon hang."""
        self._children[name].send_signal(signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        """Let it live again."""
        self._children[name].send_signal(signal.SIGCONT)

    def end(self) -> None:
        """End all daemons."""
        for child in self._children.values():
            child.send_signal(signal.SIGCONT)
            child.terminate()
        for child in self._children.values():
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(5)

    def run(self, *command: str, seconds: float = 100) -> "subprocess.CompletedProcess[str]":
        """Run a program in the environment of the daemons."""
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=seconds,
        )

    def done(self, *command: str) -> str:
        """Run a program that must succeed; return what it says."""
        ran = self.run(*command)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def begun(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start codeblue and return at once."""
        return subprocess.Popen(
            [*self.prefix, *CODEBLUE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def codeblue(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run codeblue to its end."""
        return self.run(*self.prefix, *CODEBLUE, *arguments)


CODEBLUE = (sys.executable, "-m", "codeblue")


def states(document: dict[str, Any]) -> dict[str, str]:
    """Return the state of each node of a report."""
    return {node["node"]: node["state"] for node in document["nodes"]}


def whys(document: dict[str, Any]) -> dict[str, str]:
    """Return the reason of each node of a report."""
    return {node["node"]: node["why"] for node in document["nodes"]}


def script(path: Path, text: str) -> Path:
    """Write an executable script of the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def interpreter(path: Path, hangs: str) -> Path:
    """Write a Python that hangs, where ``hangs`` is true for the shell, once it is to run a program."""
    return script(
        path,
        f'case "$1" in -c) ;; *) if {hangs}; then sleep 300; fi;; esac\nexec {sys.executable} "$@"',
    )


def words(ran: "subprocess.CompletedProcess[str]") -> Sequence[str]:
    """Return the lines on standard error."""
    return ran.stderr.splitlines()
