"""``codeblue fix`` in a real container, where neither systemd nor an init script runs anything."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docker.private import IMAGE, PrivateDocker

ROOT = Path(__file__).parents[2]
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
BROKEN = '{\n  "log-driver": "journald",\n}\n'
SERVICE = """
import sys
from pathlib import Path
from codeblue.faults.container.daemon_json import FILE, MEND, START
from codeblue.model.journal import Event
from codeblue.model.remedy import Automation, Remedy, Undo
from codeblue.remedy.executor import Checked
from codeblue.remedy.planning import plan
from codeblue.remedy.registry import ACTIONS
from codeblue.report import plans
from tests.fix.executing import WHY, Bench

remedy = Remedy(WHY, (MEND, START), Automation.APPROVAL, Undo.COMPENSATING)
made, left = plan([("daemon-json-invalid", "host", remedy)], ACTIONS, str, "0")
for text, _ in plans.lines(made, left, sys.argv[1]):
    print(text)
bench, path = Bench(Path("/root/state")), Path(FILE)
old = path.read_bytes()
assert bench.carry_out(made, made.items[0], Checked(remains=False)).event is Event.FIXED
print(path.read_text())
assert all(why is None for _, why in bench.executor.undo(bench.last())) and path.read_bytes() == old
"""


class Container:
    """A running container with codeblue and its interpreter, mounted at their own places."""

    def __init__(self, docker: PrivateDocker) -> None:
        self._docker = docker

    def start(self) -> None:
        """Start it."""
        places = {str(ROOT), sys.prefix, *([] if sys.base_prefix == "/usr" else [sys.base_prefix])}
        mounts = [f"--volume={Path(place).resolve()}:{Path(place).resolve()}:ro" for place in sorted(places)]
        self._docker.client("run", "-d", "--name", "mended", "--network=none", *mounts, IMAGE, "sleep", "600")

    def run(self, *argv: str, fails: bool = False, preload: str = "") -> str:
        """Run the interpreter of the tests in it; return what is said."""
        known = [f"PYTHONPATH={ROOT}/src:{ROOT}", "HOME=/root", "LC_ALL=C.UTF-8", "SHELL=/bin/bash"]
        known += [f"LD_PRELOAD={preload}"] if preload else []
        options = [f"--env={one}" for one in known]
        python = str(Path(sys.prefix).resolve() / "bin" / "python")
        return self._docker.client("exec", *options, "mended", python, *argv, fails=fails)

    def sh(self, script: str) -> str:
        """Run a shell in it."""
        return self._docker.client("exec", "mended", "sh", "-c", script)


@pytest.fixture(scope="module")
def container(docker: PrivateDocker) -> Iterator[Container]:
    """The container."""
    made = Container(docker)
    made.start()
    yield made
    docker.client("rm", "--force", "mended")


def test_what_nobody_can_start_there_is_told_in_one_line_and_the_file_is_mended(container: Container) -> None:
    container.sh(f"mkdir -p /etc/docker; printf '{BROKEN}' > /etc/docker/daemon.json")

    told = container.run("-c", SERVICE, "en").splitlines()
    chinese = container.run("-c", SERVICE, "zh")

    [line] = [one for one in told if one.startswith("daemon-json-invalid: no plan")]
    assert "service-start docker" in line and "systemd does not run here; do this by hand" in line
    assert '"journald"\n}' in "\n".join(told)
    assert "service-start docker：" in chinese and "请手动完成" in chinese


def test_a_start_file_of_the_container_is_mended(container: Container) -> None:
    fault, gone = "preload-library-missing", "/opt/gone.so"
    container.sh(f"echo export LD_PRELOAD={gone} >> /root/.bashrc; cp /root/.bashrc /root/kept")
    plan = ("--plan", "/root/plan.json")
    assert fault in container.run("-m", "codeblue", "check", "--fail-on", "risk", fails=True, preload=gone)

    container.run("-m", "codeblue", "fix", fault, *plan, preload=gone)
    digest = json.loads(container.sh("cat /root/plan.json"))["digest"]
    container.sh(f"cat > /root/ok.toml <<EOF\n{APPROVAL.format(plan=digest)}EOF")
    done = container.run(
        "-m", "codeblue", "fix", *plan, "--approval", "/root/ok.toml", "--apply", preload=gone
    )
    assert "fixed" in done and "gone.so" not in container.sh("cat /root/.bashrc")

    assert "taken back" in container.run("-m", "codeblue", "undo", preload=gone)
    container.sh("cmp /root/.bashrc /root/kept")
