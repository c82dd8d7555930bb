"""nccl-falls-back-to-socket"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.collectives import IB, ran

FAULT = "nccl-falls-back-to-socket"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                "NCCL INFO Using network Socket",
                "# note: the nodes are connected with RoCE, ib_write_bw is fine",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL INFO NET/Plugin: Could not find: libnccl-net.so",
                "# note: p5.48xlarge, EFA is not used and the run is slow",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: NCCL 走的是 TCP，而不是 IB 网，带宽只有 1 GB/s",),
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
            "NCCL INFO Using network Socket",
            "# note: single node",
        ),
        (
            "NCCL INFO Using network Socket",
            "NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_on_a_trial_inside_one_machine() -> None:
    [finding] = judge(FAULT, ran(3.4, "NET/Socket")).findings

    assert (finding.variant, finding.certainty) == ("inside", Certainty.CERTAIN)
    assert finding.summary.values["speed"] == "3.4"


def test_fires_between_hosts_with_an_active_infiniband_port() -> None:
    [finding] = judge(FAULT, ran(3.4, "NET/Socket", hosts=("host-a", "host-b"), network=IB)).findings

    assert (finding.variant, finding.summary.values["device"]) == ("between", "mlx5_0")


@pytest.mark.parametrize(
    "settings",
    [
        {"way": "P2P/CUMEM"},
        {"way": "SHM/direct/direct"},
        {"way": "NET/IB/GDRDMA", "hosts": ("host-a", "host-b"), "network": IB},
        {"way": "NET/Socket", "hosts": ("host-a", "host-b")},
        {"way": None, "gpu": None},
    ],
)
def test_clear_on_trials_over_other_ways_or_without_a_faster_network(settings: dict[str, Any]) -> None:
    assert judge(FAULT, ran(**settings)).outcome is Outcome.CLEAR
