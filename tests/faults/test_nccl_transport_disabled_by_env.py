"""nccl-transport-disabled-by-env"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as whole
from tests.conftest import judge, recording, text
from tests.faults.collectives import IB, NVLINKED, OVER_PCIE, ran

FAULT = "nccl-transport-disabled-by-env"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NCCL INFO NCCL_IB_DISABLE set by environment to 1.",
                "# note: only 2 GB/s between two H100 servers",
            ),
        ),
        (
            Certainty.LIKELY,
            ("NCCL WARN No transport found for rank 0[1000] -> rank 1[2000]",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 镜像里残留了 NCCL_P2P_DISABLE=1，NVLink 没用上，带宽很低",),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL_P2P_DISABLE=1",
                "NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct",
                "gpu: 8x A100 SXM4",
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
            "NCCL_P2P_DISABLE=1 python train.py",
            "# note: all-reduce hangs otherwise, bandwidth is low",
        ),
        ("NCCL INFO NCCL_IB_DISABLE set by environment to 0.",),
        ("# note: deadlocks; NCCL_P2P_DISABLE=1 makes it run",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


P2P_OFF = {"NCCL_P2P_DISABLE": "1"}
BOTH_OFF = P2P_OFF | {"NCCL_SHM_DISABLE": "1"}


def test_a_trial_names_the_variable_and_what_it_costs() -> None:
    snapshot = ran(29.0, "SHM/direct/direct", P2P_OFF, fabric=NVLINKED)
    [finding] = judge(FAULT, snapshot).findings

    assert (finding.subject, finding.kind) == ("env:NCCL_P2P_DISABLE", Kind.TROUBLE)
    assert "through shared memory, all_reduce at 29 GB/s" in finding.summary.say("en")
    diagnosis = whole(snapshot)
    assert [cause.finding.fault for cause in diagnosis.causes] == [FAULT]
    assert "nccl-slower-than-nvlink" in [one.finding.fault for one in diagnosis.consequences]


def test_sockets_inside_a_machine_have_two_reasons() -> None:
    snapshot = ran(3.4, "NET/Socket", BOTH_OFF, fabric=NVLINKED)

    assert {one.subject for one in judge(FAULT, snapshot).findings} == {f"env:{name}" for name in BOTH_OFF}
    assert {cause.finding.fault for cause in whole(snapshot).causes} == {FAULT}


def test_over_pcie_it_is_a_risk() -> None:
    [finding] = judge(
        FAULT, ran(19.0, "SHM/direct/direct", {"NCCL_P2P_LEVEL": "LOC"}, fabric=OVER_PCIE)
    ).findings

    assert (finding.subject, finding.kind) == ("env:NCCL_P2P_LEVEL", Kind.RISK)


def test_between_hosts_rdma_must_be_there() -> None:
    hosts: dict[str, Any] = {"hosts": ("host-a", "host-b"), "way": "NET/Socket", "speed": 3.4}
    for variables in ({"NCCL_IB_DISABLE": "1"}, {"NCCL_NET": "Socket"}):
        [finding] = judge(FAULT, ran(variables=variables, network=IB, **hosts)).findings
        assert finding.subject == f"env:{next(iter(variables))}"
        assert judge(FAULT, ran(variables=variables, **hosts)).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "settings",
    [
        {"variables": P2P_OFF, "fabric": NVLINKED},
        {"variables": {"NCCL_P2P_DISABLE": "0"}, "way": "SHM/direct", "fabric": NVLINKED},
        {"variables": P2P_OFF, "way": "SHM/direct"},
        {"variables": {"NCCL_SHM_DISABLE": "1"}, "fabric": NVLINKED},
        {"variables": {"NCCL_IB_DISABLE": "1"}, "network": IB},
    ],
    ids=["in use all the same", "zero", "no P2P known", "not needed", "one machine"],
)
def test_clear_where_the_variable_costs_nothing(settings: dict[str, Any]) -> None:
    assert judge(FAULT, ran(**settings)).outcome is Outcome.CLEAR
