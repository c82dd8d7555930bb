"""daemon-json-overwritten"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "daemon-json-overwritten"
SAID = (
    (
        (
            "# note: after dnf install nvidia-docker2 all my containers and images are gone, "
            "/etc/docker/daemon.json was replaced"
        ),
        "$ cat /etc/docker/daemon.json",
        "{",
        '  "runtimes": {"nvidia": {"path": "/usr/bin/nvidia-container-runtime", "runtimeArgs": []}}',
        "}",
    ),
    (
        "# note: 装了 nvidia-docker2 之后 daemon.json 里的镜像加速配置没了，只剩 nvidia 的 runtimes",
        "docker: 20.10",
    ),
    ("warning: /etc/docker/daemon.json saved as /etc/docker/daemon.json.rpmorig",),
    (
        "$ sudo yum install -y nvidia-docker2",
        "# the data-root we had configured is lost and docker starts with an empty image list",
        "$ docker images",
    ),
    (
        (
            "# our playbook installs nvidia-container-toolkit and overwrites the settings that we keep in "
            "daemon.json"
        ),
        "container: docker",
    ),
    (
        "Setting up nvidia-docker2 (2.2.2-1) ...",
        "# note: my daemon.json with the storage driver options was silently overwritten by the package",
    ),
)
OTHERS = (
    (
        "unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid character '}'",
        "# note: after installing nvidia-container-toolkit",
    ),
    (
        "$ sudo apt install nvidia-container-toolkit",
        "docker: Error response from daemon: unknown or invalid runtime name: nvidia",
        "# daemon.json has the nvidia runtime entry",
    ),
    (
        "# note: daemon.json sets the nvidia runtime as default",
        "RuntimeError: Found no NVIDIA driver on your system.",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Setting up nvidia-docker2 (2.11.0-1) ...",
            " Docker Root Dir: /var/lib/docker",
            "# note: it was /mnt/raid/docker before, all images are gone",
        ),
        (
            "$ sudo apt install nvidia-docker2",
            "$ cat /etc/docker/daemon.json",
            "# note: 之前的数据目录在另一块盘，现在镜像全没了",
        ),
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Setting up nvidia-docker2 (2.11.0-1) ...",
            " Docker Root Dir: /var/lib/docker",
            "# note: it works as before",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
