"""Kubernetes as an engine, on a real API server with its controllers and its scheduler.

``scripts/kubernetes.sh`` builds them from Debian's source. The nodes exist on paper: no kubelet stands behind
them, but for two with a stand-in.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fleet.kubernetes.control_plane import ControlPlane
from tests.fleet.kubernetes.small_kubelet import SmallKubelet


def _start(plane: ControlPlane, tmp_path: Path, *more: str, user: str = "admin") -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "codeblue", "fleet", "check", "--kubernetes", "--format", "json"]
    command += ["--store", str(tmp_path / "store"), *more]
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**plane.environment(user), **state},
    )


def _check(
    plane: ControlPlane, tmp_path: Path, *more: str, user: str = "admin"
) -> tuple[int, dict[str, Any], str]:
    child = _start(plane, tmp_path, *more, user=user)
    out, err = child.communicate(timeout=300)
    assert "Traceback" not in err, err
    return child.returncode, json.loads(out) if out.startswith("{") else {"out": out, "err": err}, err


def _nodes(told: dict[str, Any]) -> dict[str, tuple[str, str]]:
    assert "nodes" in told, told
    return {node["node"]: (node["state"], node["why"]) for node in told["nodes"]}


def _ours(plane: ControlPlane) -> str:
    """Return what is there of ours, but for pods that are on their way out."""
    things = plane.kubectl("get", "jobs,secrets", "-l", OURS, "-o", "name")
    return things + plane.kubectl("get", "pods", "-l", OURS, "-o", f"go-template={STAYING}")


OURS = "app.kubernetes.io/managed-by=codeblue"
STAYING = "{{range .items}}{{if not .metadata.deletionTimestamp}}pod/{{.metadata.name}} {{end}}{{end}}"


@pytest.fixture(autouse=True)
def _buried(api: ControlPlane) -> Iterator[None]:
    """Nodes on paper have no kubelet that would confirm the end of a pod: this does."""
    yield
    api.kubectl("delete", "pods", "-l", OURS, "--force", "--grace-period=0", "--ignore-not-found", fails=None)


def test_states_of_nodes_are_told_and_nobody_is_disturbed(api: ControlPlane, tmp_path: Path) -> None:
    code, told, _ = _check(api, tmp_path, "-l", "pool=paper", "--start", "1", "--budget", "3", "--fast")
    nodes = _nodes(told)
    assert nodes["gone"] == ("down", "NotReady: NodeStatusUnknown: Kubelet stopped posting node status.")
    assert nodes["closed"][0] == "down" and "cordoned" in nodes["closed"][1]
    assert nodes["busy"] == ("allocated", "pods hold 3 of 8 GPUs")
    # No kubelet: its pod is placed and never starts.
    state, why = nodes["idle"]
    assert (state, "did not start within" in why) == ("silent", True), why
    assert nodes["tainted"][0] == "refused" and "dedicated" in nodes["tainted"][1]
    assert code == 3
    assert _ours(api) == ""


def test_what_is_rendered_is_what_the_api_accepts(api: ControlPlane, tmp_path: Path) -> None:
    _, told, _ = _check(api, tmp_path, "-l", "pool=paper", "--render")
    made = api.kubectl("create", "--dry-run=server", "-o", "name", "-f", "-", text=told["out"])
    assert made.count("job.batch/") == 2 and made.count("secret/") == 1
    assert _ours(api) == ""


def test_a_login_without_rights_is_one_line(api: ControlPlane, tmp_path: Path) -> None:
    code, _, err = _check(api, tmp_path, user="nobody")
    assert code == 2 and err.count("\n") == 1
    assert "may not list nodes" in err and "kubectl auth can-i list nodes" in err


def test_a_login_that_may_only_read_is_one_line(api: ControlPlane, tmp_path: Path) -> None:
    rules = ["clusterrole", "see-nodes", "--verb=get,list", "--resource=nodes,pods,events"]
    api.kubectl("create", *rules, fails=None)
    api.kubectl(
        "create", "clusterrolebinding", "see", "--clusterrole=see-nodes", "--group=readers", fails=None
    )
    code, _, err = _check(api, tmp_path, "-l", "pool=paper", user="reader")
    assert code == 2 and err.count("\n") == 1
    assert "may not create secrets" in err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--context", "elsewhere"), "no such context"),
        (("-l", "no-such-label=1"), "no node has these labels"),
        (("-l", "a=b=c"), "not a selector"),
        (("--namespace", "nowhere", "-l", "pool=paper"), "no such namespace"),
    ],
)
def test_wrong_words_are_one_line(
    api: ControlPlane, tmp_path: Path, more: tuple[str, ...], words: str
) -> None:
    code, _, err = _check(api, tmp_path, *more)
    assert code == 2 and err.count("\n") == 1
    assert words in err


def test_a_quota_is_the_reason_of_the_node(api: ControlPlane, tmp_path: Path) -> None:
    api.kubectl("create", "namespace", "tight", fails=None)
    api.kubectl("create", "quota", "none", "--hard=pods=0", "-n", "tight", fails=None)
    time.sleep(3)  # until the controller has counted
    more = ("--namespace", "tight", "-l", "pool=paper", "--start", "15", "--budget", "3", "--fast")
    _, told, _ = _check(api, tmp_path, *more)
    state, why = _nodes(told)["idle"]
    assert state == "refused" and "exceeded quota" in why


def test_an_interrupted_run_leaves_nothing(api: ControlPlane, tmp_path: Path) -> None:
    child = _start(api, tmp_path, "-l", "pool=paper", "--start", "60")
    end = time.monotonic() + 60
    while "job.batch/" not in _ours(api):
        assert time.monotonic() < end
        time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130
    end = time.monotonic() + 30
    while _ours(api):
        assert time.monotonic() < end
        time.sleep(0.5)


def test_what_a_killed_run_has_left_is_told_with_the_command_that_removes_it(
    api: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = _start(api, tmp_path, "-l", "pool=paper", "--start", "60")
    end = time.monotonic() + 60
    while "job.batch/" not in _ours(api):
        assert time.monotonic() < end
        time.sleep(0.5)
    child.kill()
    child.communicate()
    from codeblue.fleet.engines.kubernetes import cluster

    for name in ("KUBECONFIG", "HOME"):
        monkeypatch.setenv(name, api.environment()[name])
    assert cluster.Cluster(None, None).left_over() == []  # it might still be at work
    monkeypatch.setattr(cluster, "OLD", 0.0)
    [run] = cluster.Cluster(None, None).left_over()
    api.kubectl("delete", "jobs,secrets", "-l", f"codeblue/run={run}", "--wait=false")
    end = time.monotonic() + 30
    while _ours(api):
        assert time.monotonic() < end
        time.sleep(0.5)


@contextmanager
def _at_work(api: ControlPlane, folder: Path, *names: str) -> Iterator[None]:
    """Have the pods of some nodes run as processes of this machine."""
    kubelets = []
    for name in names:
        api.add_node(name)
        api.kubectl("label", "node", name, "pool=works", "--overwrite")
        (folder / name).mkdir()
        kubelets.append(SmallKubelet(api, name, folder / name))
    for one in kubelets:
        one.start()
    try:
        yield
    finally:
        for one in kubelets:
            one.stop()
        api.kubectl("delete", "node", *names, "--wait=false")


@pytest.fixture
def answering(api: ControlPlane, tmp_path: Path) -> Iterator[list[str]]:
    """Two nodes whose pods answer."""
    with _at_work(api, tmp_path, "works-1", "works-2"):
        yield ["works-1", "works-2"]


def test_answers_come_through_the_logs(api: ControlPlane, answering: list[str], tmp_path: Path) -> None:
    code, told, err = _check(api, tmp_path, "-l", "pool=works", "--start", "60", "--fast")
    assert {name: state for name, (state, _) in _nodes(told).items()} == dict.fromkeys(
        answering, "answered"
    ), err
    assert not any(one["role"] == "cause" for node in told["nodes"] for one in node["findings"])
    assert code in (0, 3)
    assert _ours(api) == ""


def test_a_node_that_offers_its_gpus_to_nobody_is_trouble(api: ControlPlane, tmp_path: Path) -> None:
    with _at_work(api, tmp_path, "no-gpu", "no-plugin", "unhealthy"):
        api.kubectl("label", "node", "no-plugin", "unhealthy", "nvidia.com/gpu.present=true")
        counts = {"cpu": "8", "memory": "32Gi", "pods": "110", "nvidia.com/gpu": "0"}
        status = {"capacity": {**counts, "nvidia.com/gpu": "8"}, "allocatable": counts}
        api.put_status("/api/v1/nodes", "unhealthy", status)

        code, told, err = _check(api, tmp_path, "-l", "pool=works", "--start", "60", "--fast")

    found = {
        node["node"]: [one["fault"] for one in node["findings"] if one["role"] == "cause"]
        for node in told["nodes"]
    }
    assert found == {
        "no-gpu": [],
        "no-plugin": ["gpus-not-offered-to-pods"],
        "unhealthy": ["device-plugin-keeps-gpu-unhealthy"],
    }, err
    assert code == 1
    [one] = [one for one in told["found"] if one["fault"] == "gpus-not-offered-to-pods"]
    assert one["certainty"] == "likely"  # this cluster knows no claims, and that is known


def test_a_program_that_fails_is_told_with_its_last_words(
    api: ControlPlane, answering: list[str], tmp_path: Path
) -> None:
    more = ("-l", "pool=works", "--python", "/nowhere/python3", "--start", "60", "--fast")
    _, told, _ = _check(api, tmp_path, *more)
    for state, why in _nodes(told).values():
        assert state == "refused" and "exit code 127" in why and "no Python 3.6 or later" in why
