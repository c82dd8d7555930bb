"""gloo-picked-loopback"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gloo-picked-loopback"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                (
                    "[rank3]:[W ProcessGroupGloo.cpp:500] Warning: Unable to resolve hostname to a "
                    "(local) address. Using the loopback address as fallback."
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                (
                    "RuntimeError: Gloo connectFullMesh failed with [gloo/transport/tcp/pair.cc:150] "
                    "timed out connecting: SO_ERROR: Connection refused, remote=[127.0.0.1]:9000"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: pod 用了主机网络，gloo 绑定到回环地址，两台机器连不上",),
        ),
        (
            Certainty.LIKELY,
            (
                "RuntimeError: Gloo connectFullMesh failed with [pair.cc:144] no error",
                "# note: hostNetwork pods under Ray, each side advertises the loopback address",
            ),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "# note: gloo connection refused on several nodes",
            ">>> socket.gethostbyname(socket.gethostname())",
            "'127.0.0.1'",
        ),
        (
            "NCCL INFO Bootstrap : Using lo:127.0.0.1<0>",
            "# note: two nodes",
        ),
        ("RuntimeError: Gloo connectFullMesh failed with [pair.cc:144] no error",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
