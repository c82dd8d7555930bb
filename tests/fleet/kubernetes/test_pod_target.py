"""``pod:NS/POD`` as a target: refusals by a real API server, the inside by a real kubelet."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codeblue.sources.pod import Place, place
from codeblue.sources.target import Unusable, parse
from tests.docker.private import IMAGE
from tests.fleet.kubernetes.control_plane import PAUSE, REAL, ControlPlane


def _check(target: str, environment: dict[str, str], tmp_path: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "codeblue", "check", target, "--fast", "--format", "json"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment, "XDG_STATE_HOME": str(tmp_path)},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def _run_pod(plane: ControlPlane, name: str, image: str, *command: str) -> None:
    container: dict[str, Any] = {"name": "main", "image": image} | ({"command": command} if command else {})
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"nodeName": REAL, "terminationGracePeriodSeconds": 1, "containers": [container]},
    }
    plane.kubectl("create", "-f", "-", text=json.dumps(pod))
    end = time.monotonic() + 90
    phase = ("get", "pod", name, "-o", "jsonpath={.status.phase}")
    while plane.kubectl(*phase) not in ("Running", "Succeeded", "Failed"):
        assert time.monotonic() < end, plane.kubectl("get", "pod", name, "-o", "yaml")
        time.sleep(1)


def test_the_parts_of_a_name() -> None:
    assert place(parse("pod:ml/train-0")) == Place("ml", "train-0", "")
    assert place(parse("pod:ml/train-0/main")) == Place("ml", "train-0", "main")


@pytest.mark.parametrize("value", ["train-0", "a/b/c/d", "ml/-n", "ml/", "ml/a b", "ML/x"])
def test_a_name_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(Unusable, match="pod:NAMESPACE/POD"):
        place(parse(f"pod:{value}"))


def test_without_kubectl_it_is_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path)}
    code, _, err = _check("pod:default/x", environment, tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert "kubectl is not installed here" in err


@pytest.mark.parametrize(
    ("user", "target", "words"),
    [
        ("admin", "pod:default/none", "there is no such pod"),
        ("nobody", "pod:default/training", "may not get pods"),
        ("admin", "pod:default/training/sidecar", "has no container sidecar; it has c"),
        ("admin", "pod:default/training", "container c is not running (Running)"),
    ],
)
def test_refusals_are_one_line(api: ControlPlane, tmp_path: Path, user: str, target: str, words: str) -> None:
    code, _, err = _check(target, api.environment(user), tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert words in err and target in err


def test_a_cluster_that_does_not_answer_is_one_line(api: ControlPlane, tmp_path: Path) -> None:
    environment = api.environment()
    config = Path(environment["KUBECONFIG"])
    elsewhere = tmp_path / "elsewhere.conf"
    elsewhere.write_text(config.read_text().replace(f":{api.port}", ":9"), encoding="ascii")
    code, _, err = _check("pod:default/x", {**environment, "KUBECONFIG": str(elsewhere)}, tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert "the cluster cannot be reached" in err


def test_the_inside_of_a_pod_is_looked_at(whole: ControlPlane, tmp_path: Path) -> None:
    _run_pod(whole, "works", IMAGE, "sleep", "600")
    code, out, err = _check("pod:default/works", whole.environment(), tmp_path)
    told = json.loads(out)
    assert (told["target"], code) == ("pod:default/works", 0), (told["causes"], err)
    assert told["causes"] == []


def test_an_image_without_python_is_one_line(whole: ControlPlane, tmp_path: Path) -> None:
    _run_pod(whole, "bare", PAUSE)
    code, _, err = _check("pod:default/bare", whole.environment(), tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert "no Python 3 runs in its image" in err


def test_a_pod_that_has_ended_is_one_line(whole: ControlPlane, tmp_path: Path) -> None:
    _run_pod(whole, "ended", IMAGE, "false")
    time.sleep(3)  # until the kubelet has told that it ended, and holds it back for a while
    code, _, err = _check("pod:default/ended", whole.environment(), tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert "container main is not running" in err


def test_a_login_that_may_see_but_not_enter_is_one_line(whole: ControlPlane, tmp_path: Path) -> None:
    rules = ["clusterrole", "see-pods", "--verb=get,list", "--resource=pods"]
    whole.kubectl("create", *rules, fails=None)
    given = ["clusterrolebinding", "see-pods", "--clusterrole=see-pods", "--group=readers"]
    whole.kubectl("create", *given, fails=None)
    _run_pod(whole, "closed", IMAGE, "sleep", "600")
    code, _, err = _check("pod:default/closed", whole.environment("reader"), tmp_path)
    assert code == 2 and err.count("\n") == 1
    assert "may not create pods/exec" in err
