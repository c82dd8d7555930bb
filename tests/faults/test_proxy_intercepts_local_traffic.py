"""proxy-intercepts-local-traffic"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "proxy-intercepts-local-traffic"
SHOWS = (
    (
        (
            "requests.exceptions.ProxyError: HTTPConnectionPool(host='10.0.0.1', port=3128): Max "
            "retries exceeded with url: http://127.0.0.1:21001/register_worker (Caused by "
            "ProxyError('Cannot connect to proxy.'))"
        ),
    ),
    (
        (
            "ValueError: When localhost is not accessible, a shareable link must be created. Please "
            "set share=True."
        ),
    ),
    (
        "<Response [503]>",
        (
            "# note: http_proxy is set on the node; the worker asks the controller at "
            "localhost:21001 and fails"
        ),
    ),
    ("# note: 开了代理，访问本地 127.0.0.1 的服务报错，取消代理就正常",),
)
OTHERS = (
    (
        (
            "ProxyError('Cannot connect to proxy.') while running pip install torch through "
            "http_proxy 127.0.0.1:7890"
        ),
    ),
    ("# note: nginx reverse proxy at localhost fails with 502, http_proxy unset",),
    ("ConnectionError: HTTPConnectionPool(host='localhost', port=21001): Connection refused",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_local_request_through_a_proxy(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_proxies(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
