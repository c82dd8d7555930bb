"""proxy-drops-websocket-upgrade"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "proxy-drops-websocket-upgrade"
SHOWS = (
    ('[W 2026-11-02 10:00:00.000 ServerApp] Can "Upgrade" only to "WebSocket".',),
    ("400 GET /user/alice/api/kernels/0f3a/channels?session_id=1 (10.0.0.4) 1.53ms",),
    (
        (
            "WebSocket connection to 'wss://lab.example/api/kernels/1/channels' failed: Error during "
            "WebSocket handshake: Unexpected response code: 400"
        ),
    ),
    (("# note: jupyter runs behind a reverse proxy; the page loads but the kernel never connects"),),
    ("# note: 用 nginx 反代之后网页能打开，但内核一直连不上，终端也打不开",),
)
OTHERS = (
    ("# note: kernel died and restarts; CUDA out of memory",),
    (
        "client intended to send too large body",
        "# note: upload through nginx to the jupyter kernel fails",
    ),
    (
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_pass http://127.0.0.1:8888;",
        "# note: kernel connection fails behind nginx",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_websocket_lost_on_the_way(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_kernels_that_fail_otherwise(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
