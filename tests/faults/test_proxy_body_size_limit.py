"""proxy-body-size-limit"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "proxy-body-size-limit"
SHOWS = (
    (("2026/11/02 10:00:00 [error] 31#31: *7 client intended to send too large body: 20971520 bytes"),),
    ("HTTP/1.1 413 Request Entity Too Large",),
    (("# note: behind our ingress, notebooks above 1 MB cannot be saved; large file upload fails"),),
    ("# note: 通过 nginx 访问 jupyter，上传超过 1M 的文件失败",),
    ("PUT /api/contents/a.ipynb HTTP/1.1 413 0 nginx",),
)
OTHERS = (
    ("ResourceExhausted: grpc: received message larger than max (9000000 vs. 4194304)",),
    (
        "WebSocket connection to 'wss://lab.example/api/kernels/1/channels' failed",
        "nginx/1.24",
    ),
    ("RuntimeError: batch too large for the GPU",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_refused_body(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_sizes_that_are_too_large(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
