"""container-port-not-published"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "container-port-not-published"
SHOWS = (
    (
        "$ docker run -it --gpus all myimage jupyter lab --ip=0.0.0.0",
        "curl: (7) Failed to connect to localhost port 8888: Connection refused",
    ),
    (
        "CONTAINER ID   IMAGE   STATUS    PORTS      NAMES",
        "0f2a   lab   Up 2 minutes   8888/tcp   lab",
        "This site can't be reached",
    ),
    (("# note: sshd runs inside the container but I forgot -p, so ssh from outside cannot connect"),),
    ("# note: 启动容器时没有做端口映射，浏览器访问不了",),
)
OTHERS = (
    (
        "docker run -p 8888:8888 lab",
        "This site can't be reached (http://localhost:8888)",
    ),
    (
        "docker run --network host lab",
        "localhost:8888 refused to connect",
    ),
    (
        "docker run hello-world",
        "Error response from daemon: Get https://registry-1.docker.io/v2/: connection refused",
    ),
    (
        "docker run -it lab",
        "docker-machine ip: 192.168.99.100",
        "localhost:8888 refused to connect",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_port_that_stays_inside(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_published_ports_and_other_addresses(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
