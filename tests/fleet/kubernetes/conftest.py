"""A cluster for the tests of this folder: started once, with nodes that exist on paper, and one that runs."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import root_file_system
from tests.docker.private import IMAGE, PrivateDocker
from tests.fleet.kubernetes import control_plane
from tests.fleet.kubernetes.control_plane import PAUSE, REAL, ControlPlane


@pytest.fixture(scope="session")
def api() -> Iterator[ControlPlane]:
    """A cluster whose nodes exist on paper only."""
    reason = control_plane.unusable()
    if reason:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="codeblue-kube", ignore_cleanup_errors=True) as name:
        plane = ControlPlane(Path(name))
        try:
            plane.start()
            plane.add_node("idle", gpus=8)
            plane.add_node("busy", gpus=8)
            plane.add_node("gone", ready=False, gpus=8)
            plane.add_node("closed", gpus=8, unschedulable=True)
            taint = {"key": "dedicated", "value": "team", "effect": "NoSchedule"}
            plane.add_node("tainted", taints=[taint])
            _occupy(plane, "busy")
            yield plane
        finally:
            plane.stop()


@pytest.fixture(scope="session")
def whole(api: ControlPlane) -> Iterator[ControlPlane]:
    """The same cluster with one node more, on which pods really run."""
    missing = [name for name in ("dockerd", "docker", "debootstrap", "gcc") if not shutil.which(name)]
    missing += [] if (control_plane.BIN / "kubelet").exists() else ["kubelet"]
    if root_file_system.unasked() or os.geteuid() != 0 or missing:
        pytest.skip(f"a kubelet needs root, CODEBLUE_DOCKER_TESTS=1 and programs (missing: {missing})")
    archive = root_file_system.archive()
    with tempfile.TemporaryDirectory(prefix="codeblue-docker", ignore_cleanup_errors=True) as name:
        docker = PrivateDocker(Path(name))
        try:
            docker.start()
            docker.client("import", str(archive), IMAGE)
            docker.client("import", "--change", 'ENTRYPOINT ["/pause"]', str(_pause(Path(name))), PAUSE)
            api.start_kubelet(REAL, docker.host, PAUSE)
            yield api
        finally:
            api.stop()
            docker.end()


def _pause(folder: Path) -> Path:
    """Return an archive with a program that waits until it is ended, as every pod has one."""
    (folder / "pause.c").write_text(
        "#include <signal.h>\n#include <unistd.h>\nstatic void end(int s) { _exit(0); }\n"
        "int main(void) { signal(SIGTERM, end); signal(SIGINT, end); for (;;) pause(); }\n",
        encoding="ascii",
    )
    subprocess.run(["gcc", "-static", "-o", folder / "pause", folder / "pause.c"], check=True)
    subprocess.run(["tar", "-C", folder, "-cf", folder / "pause.tar", "pause"], check=True)
    return folder / "pause.tar"


def _occupy(plane: ControlPlane, node: str) -> None:
    """Let a pod of somebody hold three GPUs of a node."""
    asked = {"limits": {"nvidia.com/gpu": "3"}}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "training"},
        "spec": {"nodeName": node, "containers": [{"name": "c", "image": "x", "resources": asked}]},
    }
    plane.kubectl("create", "-f", "-", text=json.dumps(pod))
    plane.put_status("/api/v1/namespaces/default/pods", "training", {"phase": "Running"})
