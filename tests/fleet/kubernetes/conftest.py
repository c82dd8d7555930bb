"""A cluster for the tests of this folder, started once, with nodes that exist on paper."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet.kubernetes import control_plane
from tests.fleet.kubernetes.control_plane import ControlPlane


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
