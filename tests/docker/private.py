"""Start, ask and end a docker daemon whose socket, data and process ids lie in one folder."""

import os
import signal
import subprocess
import time
from pathlib import Path

IMAGE = "codeblue-test:1"
SECONDS = 30


class PrivateDocker:
    """A daemon in a folder of its own, without networks and without rules for the firewall."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "docker.sock"
        self.config = folder / "daemon.json"
        self.config.write_text("{}", encoding="utf-8")
        self.host = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        flags = {
            "config-file": self.config,
            "host": self.host,
            "data-root": self.folder / "data",
            "exec-root": self.folder / "exec",
            "pidfile": self.folder / "docker.pid",
            "bridge": "none",
            "iptables": "false",
            "ip6tables": "false",
            "ip-forward": "false",
            "ip-masq": "false",
            "storage-driver": "vfs",
        }
        with (self.folder / "log").open("ab") as log:
            argv = ["dockerd", *(f"--{name}={value}" for name, value in flags.items())]
            self.process = subprocess.Popen(argv, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + SECONDS
        while subprocess.run(self._argv("version"), capture_output=True, check=False).returncode:
            assert time.monotonic() < deadline, self.log()
            assert self.process.poll() is None, self.log()
            time.sleep(0.2)

    def log(self) -> str:
        """The end of what the daemon said."""
        return (self.folder / "log").read_text(encoding="utf-8")[-2000:]

    def _argv(self, *arguments: str) -> list[str]:
        return ["docker", "--host", self.host, *arguments]

    def client(self, *arguments: str, fails: bool = False) -> str:
        """Run the docker command against this daemon; return what it said."""
        done = subprocess.run(
            self._argv(*arguments), capture_output=True, text=True, check=False, timeout=120
        )
        assert bool(done.returncode) is fails, done.stdout + done.stderr
        return (done.stdout + done.stderr).strip()

    def stop(self) -> None:
        """Stop the daemon; what it kept stays for the next start."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(SECONDS)

    def end(self) -> None:
        """Remove the containers, stop the daemon and what it may have left mounted."""
        if self.process and self.process.poll() is None:
            names = subprocess.run(
                self._argv("ps", "--all", "--quiet"), capture_output=True, text=True, check=False
            )
            for name in names.stdout.split():
                subprocess.run(self._argv("rm", "--force", name), capture_output=True, check=False)
        self.stop()
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
        points = [row.split(" ")[1] for row in mounts]
        for point in reversed([p for p in points if p.startswith(str(self.folder))]):
            subprocess.run(["umount", "--lazy", point], check=False)
