"""rhel-entitlement-stale"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rhel-entitlement-stale"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            ("Error: No matching repo to modify: rhocp-4.9-for-rhel-8-x86_64-rpms.",),
        ),
        (
            Certainty.LIKELY,
            (
                (
                    "Error: Unable to find a match: kernel-headers-4.18.0-305.el8_4.x86_64 "
                    "kernel-devel-4.18.0-305.el8_4.x86_64"
                ),
                "k8s: OpenShift 4.8",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: OpenShift 节点的订阅证书过旧，驱动 daemonset 找不到内核包",),
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
            "Error: Unable to find a match: kernel-devel-5.4.124-1.el7.elrepo.x86_64",
            "os: CentOS 7",
        ),
        ("Could not resolve Linux kernel version",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
