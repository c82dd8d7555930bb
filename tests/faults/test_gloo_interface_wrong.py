"""gloo-interface-wrong"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gloo-interface-wrong"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.CERTAIN,
            (
                (
                    "RuntimeError: [enforce fail at gloo/transport/tcp/device.cc:80] ifa != nullptr. "
                    "Unable to find address for: eth7"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("RuntimeError: Gloo connectFullMesh failed with [pair.cc:144] no error",),
        ),
        (
            Certainty.LIKELY,
            (
                "RuntimeError: Gloo connectFullMesh failed with [pair.cc:144] no error",
                "# note: the machines have a docker0 and a second NIC",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 两台机器用 gloo 通信超时，指定 GLOO_SOCKET_IFNAME 之后正常",),
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
            "Unable to find address for: host",
            "# note: a DNS tool",
        ),
        (("# note: gloo advertises 127.0.0.1 on both nodes, hostNetwork; GLOO_SOCKET_IFNAME fixes it"),),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "RuntimeError: [gloo/gloo/transport/tcp/pair.cc:144] timed out connecting to 172.17.0.1",
            "    inet 127.0.0.1/8 scope host lo",
            "    inet 172.17.0.1/16 docker0",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings
