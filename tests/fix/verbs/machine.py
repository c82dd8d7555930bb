"""Where verbs act in the tests: here, or on a private copy-on-write copy of this machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from codeblue.model.remedy import Verb

ROOT = Path(__file__).parents[3]
NAME = "cb-test"

TREE = r"""
set -e
mount -t tmpfs -o mode=0755 none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
"""
"""Makes the copy: what is written there goes to memory, and goes away with it."""
KERNEL = r"""
mount -t proc proc proc
mount --rbind /sys sys
mount -t tmpfs -o mode=0755 none dev
for node in null zero full random urandom tty; do
    touch "dev/$node"
    mount --bind "/dev/$node" "dev/$node"
done
mkdir dev/shm
mount -t tmpfs -o size=1m none dev/shm
mount -t tmpfs -o mode=0755 none run
ln -s /proc/self/fd dev/fd
"""
"""Gives the copy what the kernel shows of itself."""
HOLD = """
echo ready
exec sleep 1000
"""


class Answer(dict[str, Any]):
    """What came of one method: ``value``, ``refused`` or ``failed``; empty if it was killed."""


class Here:
    """This machine, for verbs that stay within the test's own folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.keep = folder / "keep"
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.environment = {
            "HOME": os.environ.get("HOME", "/"),
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
            **(environment or {}),
        }

    prefix: tuple[str, ...] = ()

    def ask(self, verb: Verb, method: str, args: Mapping[str, str], **more: Any) -> Answer:
        """Call one method of a verb in a process of its own."""
        answers = self.calls(verb, [method], args, **more)
        return answers[0] if answers else Answer()

    def calls(self, verb: Verb, calls: Sequence[str], args: Mapping[str, str], **more: Any) -> list[Answer]:
        """Call methods of a verb, one after the other, in one process; each hears what came before.

        Returns fewer answers if it was killed.
        """
        request = {"verb": verb.value, "calls": calls, "args": args, "keep": str(self.keep), "name": NAME}
        ran = self.run([sys.executable, "-m", "tests.fix.verbs.acting"], json.dumps(request | more), self.bin)
        if ran.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
            assert ran.returncode == 0, ran.stderr
        return [Answer(json.loads(line)) for line in ran.stdout.splitlines()]

    def run(
        self, argv: Sequence[str], text: str = "", first: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program there; programs in the folder ``first`` stand before the real ones."""
        path = os.environ["PATH"] if first is None else f"{first}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [*self.prefix, *argv],
            input=text,
            capture_output=True,
            text=True,
            env={**self.environment, "PATH": path},
            cwd=ROOT,
            timeout=300,
        )

    def done(self, *argv: str) -> str:
        """Run a program there that must end well; return what it prints."""
        ran = self.run(argv)
        assert ran.returncode == 0, ran.stderr + ran.stdout
        return ran.stdout

    def killing(self, program: str, word: str, moment: str) -> Callable[[], None]:
        """Put a program before the real one that kills its parent ``before`` or ``after`` it has worked.

        Only calls by a verb, with ``word`` among the arguments, are meant. Returns what takes it away again.
        """
        real = self.done("sh", "-c", 'command -v -- "$0"', program).strip()
        before = 'kill -9 "$PPID"; sleep 0.1; exit 1' if moment == "before" else ":"
        script = self.bin / os.path.basename(program)
        self.write(
            str(script),
            f'#!/bin/sh\ncase " $* " in *" {word} "*) ;; *) exec {real} "$@";; esac\n'
            f'grep -q acting "/proc/$PPID/cmdline" || exec {real} "$@"\n'
            f'{before}\n{real} "$@"\ncode=$?\nkill -9 "$PPID"\nexit $code\n',
            0o755,
        )
        return lambda: self.remove(str(script))

    def write(self, path: str, content: str, mode: int | None = None) -> None:
        """Write a file there."""
        self.done("sh", "-c", 'printf %s "$2" > "$1"', "sh", path, content)
        if mode is not None:
            self.done("chmod", f"{mode:o}", path)

    def remove(self, path: str) -> None:
        """Remove a file there."""
        self.done("rm", "-f", path)


class Machine(Here):
    """A copy of this machine with its own files, mounts, processes and network; needs root."""

    start = TREE + KERNEL + HOLD
    spaces: tuple[str, ...] = ("--mount", "--pid")

    def __init__(self, folder: Path, network: bool = False) -> None:
        super().__init__(folder)
        base = folder / "machine"
        base.mkdir()
        spaces = (*self.spaces, *(() if network else ("--net",)))
        # With the tests, also killed ones, the machine ends.
        alone = ("setpriv", "--pdeathsig", "KILL", "unshare", *spaces, "--fork", "--kill-child")
        self._holder = subprocess.Popen(
            [*alone, "--propagation", "private", "sh", "-c", self.start, "sh", str(base)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == "ready\n"
        [inner] = _children(self._holder.pid)
        enter = ("nsenter", "--target", str(inner), *spaces)
        self.prefix = (*enter, *self.root(base), "env", "-C", str(ROOT))

    def root(self, base: Path) -> tuple[str, ...]:
        """Return the words with which a program gets the copy as its root."""
        return ("chroot", f"{base}/root")

    def end(self) -> None:
        """End it with everything that runs in it."""
        self._holder.kill()
        self._holder.wait()
        assert self._holder.stdout is not None
        self._holder.stdout.close()


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]
