"""jupyter-not-listening-outside"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "jupyter-not-listening-outside"
SHOWS = (
    ("Running as root is not recommended. Use --allow-root to bypass.",),
    (
        "docker run -p 8888:8888 lab jupyter notebook --ip='*' --no-browser",
        "# browser: ERR_CONNECTION_REFUSED",
    ),
    ("ServerApp: OSError: [Errno 99] Cannot assign requested address",),
    (("# note: jupyter in the docker container with port 8888 mapped, browser says site can't be reached"),),
    ("# note: 容器里的 jupyter 只监听本机，主机浏览器打不开",),
)
OTHERS = (
    (
        "jupyter lab --ip=0.0.0.0 --allow-root",
        "# browser: This site can't be reached in docker",
    ),
    ("jupyter behind nginx in docker: WebSocket connection failed, kernel cannot connect",),
    ("c10d: Cannot assign requested address",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_server_that_hears_only_itself(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_servers_that_can_be_reached(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
