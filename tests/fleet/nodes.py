"""Several nodes behind one private sshd: a key each, whose forced command gives it a home of its own."""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MISSING = [name for name in ("ssh", "ssh-keygen") if not shutil.which(name)]
if not Path("/usr/sbin/sshd").exists():
    MISSING.append("sshd")
needs_sshd = [
    pytest.mark.root,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(os.geteuid() != 0, reason="sshd lets only root log in as root"),
]
SERVER = """HostKey {folder}/host
Port {port}
ListenAddress 127.0.0.1
AuthorizedKeysFile {folder}/authorized_keys
PermitRootLogin forced-commands-only
StrictModes no
UsePAM no
PidFile none
MaxStartups 200
"""
CLIENT = """Host {name}
  HostName 127.0.0.1
  Port {port}
  User root
  IdentityFile {folder}/{name}.key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
"""
CODEBLUE = shlex.join([sys.executable, "-m", "codeblue"])
BASHRC = "alias l=ls\nexport TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1\n"
"""``numerics-changed-by-environment``, which a user repairs without root."""
FAULT = "numerics-changed-by-environment"


class Nodes:
    """The nodes, and the sshd that they share."""

    def __init__(self, names: list[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="codeblue-nodes-"))
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self._key(self.folder / "host")
        keys = [self._node(name) for name in names]
        (self.folder / "authorized_keys").write_text("".join(keys), encoding="ascii")
        (self.folder / "sshd").write_text(SERVER.format(folder=self.folder, port=self.port), encoding="ascii")
        self.config = self.folder / "ssh_config"
        texts = [CLIENT.format(name=name, port=self.port, folder=self.folder) for name in names]
        self.config.write_text("".join(texts), encoding="ascii")
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        argv = ["/usr/sbin/sshd", "-D", "-f", str(self.folder / "sshd"), "-E", str(self.folder / "log")]
        self.server = subprocess.Popen(argv, start_new_session=True)
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.1)
        raise RuntimeError((self.folder / "log").read_text("utf-8"))

    def home(self, name: str) -> Path:
        """Return the home of a node."""
        return self.folder / name

    def before(self, name: str, line: str) -> None:
        """Let a node run a line of shell before each command."""
        (self.home(name) / "before").write_text(line + "\n", encoding="utf-8")

    def run(self, *arguments: str, code: int | None = None) -> "subprocess.CompletedProcess[str]":
        """Run codeblue here, with a state directory of its own."""
        environment = os.environ | {"XDG_STATE_HOME": str(self.folder / "state"), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [sys.executable, "-m", "codeblue", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        if code is not None:
            assert done.returncode == code, done.stdout + done.stderr
        return done

    def end(self) -> None:
        """Leave nothing at work."""
        with suppress(ProcessLookupError):
            os.killpg(self.server.pid, signal.SIGTERM)
        self.server.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _node(self, name: str) -> str:
        """Make a node with the fault; return its line of authorized_keys."""
        home = self.home(name)
        home.mkdir()
        (home / ".bashrc").write_text(BASHRC, encoding="ascii")
        (home / "before").write_text("", encoding="ascii")
        words = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "PYTHONPATH": str(ROOT / "src")}
        (home / "start").write_text(_start(words, home), encoding="ascii")
        self._key(self.folder / f"{name}.key")
        public = (self.folder / f"{name}.key.pub").read_text("ascii")
        return f'command="bash {home}/start" {public}'

    @staticmethod
    def _key(path: Path) -> None:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)


def _start(words: Mapping[str, str], home: Path) -> str:
    given = shlex.join(f"{name}={value}" for name, value in words.items())
    return f'export {given}\n. {home}/.bashrc\n. {home}/before\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n'
