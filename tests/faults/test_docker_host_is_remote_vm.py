"""docker-host-is-remote-vm"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "docker-host-is-remote-vm"
SHOWS = (
    (
        "$ docker-machine ip default",
        "192.168.99.100",
        "# browser: localhost refused to connect",
    ),
    (
        (
            "# note: Docker Toolbox on Windows 10 Home; jupyter prints a URL with localhost that "
            "cannot be opened"
        ),
    ),
    (
        "export DOCKER_HOST=tcp://192.168.99.101:2376",
        "curl: (7) Failed to connect to localhost port 8888: Connection refused",
    ),
    ("# note: docker 跑在虚拟机里，浏览器访问 localhost 打不开",),
)
OTHERS = (
    (
        "docker run -p 8888:8888 lab",
        "localhost refused to connect",
    ),
    ("# note: docker runs on a remote server with ssh, all fine",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_an_engine_in_a_virtual_machine(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_an_engine_at_home(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
