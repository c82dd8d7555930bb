"""An environment whose torch and torchvision do not fit each other, made of tiny wheels."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.fix.verbs.test_pip import wheel
from tests.test_cli import Run

FAULT = "torch-torchvision-version-mismatch"
TORCH = {"torch/version.py": '__version__ = "2.7.1"\ncuda = None\n'}
PATIENCE = 60.0
"""Seconds for a question to appear."""


class Environment:
    """The environment, and codeblue with private folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "env" / "bin" / "python"
        self.run = Run(folder / "state")
        self.run.environment |= {
            "HOME": str(folder),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(folder / "wheels"),
            "PIP_CONFIG_FILE": os.devnull,
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self.on = ("--on", f"python:{self.python}")

    def make(self) -> None:
        """Make the wheels and install the pair that does not fit."""
        wheels = self.folder / "wheels"
        wheels.mkdir()
        wheel(wheels, "torch", "2.7.1", (), TORCH)
        for version in ("0.20.0", "0.22.1"):
            wheel(wheels, "torchvision", version, ())
        subprocess.run([sys.executable, "-m", "venv", "--copies", str(self.folder / "env")], check=True)
        pip = [str(self.python), "-m", "pip", "--isolated", "install", "-q", "--no-index", "-f", str(wheels)]
        subprocess.run([*pip, "torch==2.7.1", "torchvision==0.20.0"], check=True)

    def torchvision(self) -> str:
        """Return the installed version."""
        [found] = self.folder.glob("env/lib/python*/site-packages/torchvision-*.dist-info")
        return found.name.removeprefix("torchvision-").removesuffix(".dist-info")

    def answered(self, keys: bytes, *arguments: str) -> tuple[int, str]:
        """Run at a terminal and press keys at the question; return the exit code and what was shown."""
        pid, control = pty.fork()
        if not pid:
            os.execve(  # noqa: S606 - the very program that is tested
                sys.executable, [sys.executable, "-m", "codeblue", *arguments], self.run.environment
            )
        shown, answered, until = b"", False, time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not select.select([control], [], [], 1.0)[0]:
                # What is typed before the terminal is ready for it is thrown away: type again.
                if b"[y/N]" in shown:
                    os.write(control, keys)
                    answered = True
                continue
            try:
                shown += os.read(control, 4096)
            except OSError:  # the other end is closed
                break
        else:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(control)
        assert answered, shown.decode()
        return os.waitstatus_to_exitcode(status), shown.decode()
