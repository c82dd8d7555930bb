"""mig-instances-lost-on-reboot"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mig-instances-lost-on-reboot"
SHOWS = (
    ("# note: after rebooting the server all MIG slices are gone and jobs find no device",),
    ("# note: 机器重启后 MIG 实例没了，要重新创建",),
    (
        "$ sudo nvidia-smi mig -lgi",
        "No MIG-enabled devices found.",
        "No MIG devices found",
        "# uptime 3 min, node was rebooted",
    ),
    (
        "  GPU 0: NVIDIA A100 (MIG mode on)",
        "# note: the instances do not persist across a reboot",
    ),
)
OTHERS = (
    ("No MIG devices found",),
    (("# note: changed MIG slices, device plugin still shows old ones; after restart of the plugin fine"),),
    ("# note: driver missing after reboot",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_slices_gone_after_a_boot(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_slices_changed_by_hand(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "$ uptime",
            " 09:10:02 up 6 min,  1 user",
            "No GPU instances found: Not Found",
            "# note: yesterday this H100 had 7 slices",
        ),
        ("No MIG devices found", "# note: 停电之后就这样，昨天还有 4 个 MIG 切片"),
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize("lines", [("No MIG devices found", "# note: MIG was switched on a minute ago")])
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
