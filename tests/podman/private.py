"""podman with storage, run folder and settings in one folder, as root or as another user."""

import os
import subprocess
from pathlib import Path

IMAGE = "codeblue-test:1"

STORAGE = """[storage]
driver = "vfs"
graphroot = "{folder}/root"
runroot = "{folder}/run"
"""

# The usual limits may be higher than ours, and a machine without systemd has no other cgroup manager.
CONTAINERS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
netns = "none"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
"""


class PrivatePodman:
    """Runs podman; the user's own containers and images are never seen."""

    def __init__(self, folder: Path, user: str | None = None) -> None:
        self.folder = folder
        self.prefix = ["runuser", "-u", user, "--"] if user else []
        (folder / "storage.conf").write_text(STORAGE.format(folder=folder), encoding="utf-8")
        (folder / "containers.conf").write_text(CONTAINERS, encoding="utf-8")
        self.own = {
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
            "CONTAINERS_CONF": str(folder / "containers.conf"),
        }
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.environment = inherited | self.own | (home if user else {})

    def run(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        """Run a program as the user of this podman."""
        return subprocess.run(
            [*self.prefix, *argv],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )

    def client(self, *arguments: str, fails: bool = False) -> str:
        """Run the podman command; return what it said."""
        done = self.run("podman", *arguments)
        assert bool(done.returncode) is fails, done.stdout + done.stderr
        return done.stdout.strip()

    def end(self) -> None:
        """Remove the containers and end what keeps the namespaces of the user."""
        self.run("podman", "rm", "--all", "--force", "--time", "0")
        if self.prefix:
            self.run("podman", "system", "migrate")
