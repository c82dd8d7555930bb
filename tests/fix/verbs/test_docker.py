"""A broken daemon.json, and the real docker as a service of the real systemd: found, repaired, taken back."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import root_file_system
from tests.conftest import thorough
from tests.fix.verbs.booted import Booted, unbootable

FILE = "/etc/docker/daemon.json"
FAULT = "daemon-json-invalid"
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
SOUND = """{
  "bridge": "none",
  "iptables": false,
  "storage-driver": "vfs"%s
}
"""
"""A daemon without networks and without rules for the firewall."""
COMMA = SOUND % ',\n  "log-opts": {"max-size": "10m",},'
NO_RUNTIME = SOUND % ',\n  "default-runtime": "nvidia"'


def _unusable() -> str | None:
    if root_file_system.unasked():
        return "starts a docker daemon of its own: set CODEBLUE_DOCKER_TESTS=1"
    return unbootable() or (None if shutil.which("dockerd") else "docker is not installed")


pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(_unusable()), reason=_unusable() or "")]


class Host(Booted):
    """A machine with docker as its service, and codeblue on it."""

    def codeblue(self, *arguments: str, code: int = 0) -> str:
        """Run codeblue there; return what it shows."""
        ran = self.run([sys.executable, "-m", "codeblue", *arguments])
        assert ran.returncode == code, ran.stdout + ran.stderr
        return ran.stdout

    def found(self) -> list[str]:
        """Return the faults that a check names as causes or risks."""
        ran = self.run([sys.executable, "-m", "codeblue", "check", "--format", "json"])
        document = json.loads(ran.stdout)
        return [one["fault"] for one in document["causes"] + document["risks"]]

    def fixed(self, fault: str) -> str:
        """Have a fault fixed, with an approved plan; return what is shown."""
        self.codeblue("fix", fault, "--plan", "/run/plan.json")
        plan = json.loads(self.done("cat", "/run/plan.json"))["digest"]
        self.write("/run/ok.toml", APPROVAL.format(plan=plan))
        return self.codeblue("fix", "--plan", "/run/plan.json", "--approval", "/run/ok.toml", "--apply")

    def docker(self, word: str) -> str:
        """Return what the running daemon says of itself."""
        return self.done("docker", "info", "--format", "{{json ." + word + "}}").strip('"\n')

    def content(self) -> str:
        """Return daemon.json as it is."""
        return self.done("cat", FILE)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """The machine, before docker starts."""
    machine = Host(tmp_path)
    machine.environment |= {"XDG_STATE_HOME": "/var/lib/test", "LC_ALL": "C.UTF-8"}
    machine.done("mkdir", "-p", "/etc/docker")
    yield machine
    machine.end()


def fails(host: Host) -> None:
    """Start docker as often as systemd allows."""
    assert host.run(["systemctl", "start", "docker"]).returncode
    host.done("sh", "-c", "until systemctl is-failed --quiet docker; do sleep 0.05; done")


@pytest.mark.parametrize(
    ("broken", "toolkit", "runtime"),
    [
        pytest.param(COMMA, False, "runc", marks=thorough),
        pytest.param(NO_RUNTIME, False, "runc", marks=thorough),
        (NO_RUNTIME, True, "nvidia"),
    ],
    ids=["comma", "runtime without its program", "runtime"],
)
def test_docker_starts_again_and_is_as_broken_after_undo(
    host: Host, broken: str, toolkit: bool, runtime: str
) -> None:
    host.write(FILE, broken, 0o640)
    if toolkit:
        host.write("/usr/bin/nvidia-container-runtime", "#!/bin/sh\n", 0o755)
    fails(host)
    assert FAULT in host.found()

    assert "fixed" in host.fixed(FAULT)
    assert host.state("docker") == "active"
    assert host.docker("DefaultRuntime") == runtime
    assert FAULT not in host.found()

    assert "taken back" in host.codeblue("undo")
    assert host.content() == broken
    assert host.done("stat", "-c", "%a", FILE) == "640\n"
    assert host.state("docker") != "active"
    fails(host)
    assert FAULT in host.found()


def test_a_running_docker_is_not_touched_and_reloads_the_mended_file(host: Host) -> None:
    host.write(FILE, SOUND % "")
    host.done("systemctl", "start", "docker")
    first = host.done("cat", "/run/docker.pid")
    broken = SOUND % ',\n  "runtimes": {"nvidia": {"path": "/usr/bin/runc"}},\n  "labels": ["a=b",]'
    host.write(FILE, broken)
    host.done("systemctl", "reload", "docker")
    assert "nvidia" not in host.docker("Runtimes"), "docker cannot read the file"

    assert "fixed" in host.fixed(FAULT)
    assert host.docker("Labels") == "[]", "the daemon is not touched"
    assert host.found() == ["docker-daemon-not-restarted"]

    assert "fixed" in host.fixed("docker-daemon-not-restarted")
    assert "nvidia" in host.docker("Runtimes") and "a=b" in host.docker("Labels")
    assert host.done("cat", "/run/docker.pid") == first

    assert "taken back" in host.codeblue("undo", FAULT)
    assert host.content() == broken
    assert FAULT in host.found()
