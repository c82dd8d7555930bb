"""device-plugin-not-restarted-after-mig-change"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "device-plugin-not-restarted-after-mig-change"
SHOWS = (
    (
        (
            "# note: I created new MIG instances with nvidia-smi, but the device plugin does not "
            "show them until its pod is restarted"
        ),
    ),
    ("# note: 修改 MIG 切分后设备插件没有更新，要重启 pod 才行",),
    (
        "Allocatable:",
        "  nvidia.com/mig-1g.5gb:  7",
        "# after repartition to 3g.20gb the node still lists the old ones",
    ),
    ("# note: node capacity is not updated after we disabled MIG",),
)
OTHERS = (
    (
        "panic: More than one MIG device type present on node",
        "# device plugin restarts, MIG changed",
    ),
    ("# note: MIG instances gone after reboot, node capacity old",),
    (
        "  nvidia.com/mig-1g.5gb:  7",
        "# MIG works",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_plugin_with_an_old_list(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_mig_troubles(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "nvidia-device-plugin-daemonset-x9z4k   1/1   Running   2 (40d ago)   61d",
            "  nvidia.com/gpu:  4",
            "  MIG 2g.20gb     Device  0:",
            "# note: I split the cards this morning",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "nvidia-device-plugin-daemonset-x9z4k   1/1   Running   0   61d",
            "  nvidia.com/gpu:  4",
            "# note: I changed the image",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
