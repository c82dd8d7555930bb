"""``pod:NS/POD`` as a target: what a real API server refuses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeblue.sources.pod import Place, place
from codeblue.sources.target import Unusable, parse
from tests.fleet.kubernetes.control_plane import ControlPlane


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
