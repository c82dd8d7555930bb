"""cpus-too-few-for-job"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import tried

FAULT = "cpus-too-few-for-job"
V1 = "/sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us"


@pytest.mark.parametrize("small", [True, False])
def test_fires_with_certainty_on_one_processor_of_64(small: bool) -> None:
    [finding] = judge(FAULT, tried({"allowed": 1, "mask": "5"}, small=small)).findings

    assert (finding.variant, finding.kind, finding.certainty) == (
        "affinity",
        Kind.TROUBLE,
        Certainty.CERTAIN,
    )
    assert [e.value for e in finding.evidence] == [1, 64, "5"]


def test_fires_as_a_risk_on_three() -> None:
    [finding] = judge(FAULT, tried({"allowed": 3, "mask": "0-2"})).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.LIKELY)


@pytest.mark.parametrize(("quota", "kind"), [(0.5, Kind.TROUBLE), (1.0, Kind.TROUBLE), (3.5, Kind.RISK)])
def test_fires_on_a_quota(quota: float, kind: Kind) -> None:
    [finding] = judge(FAULT, tried({"quota": quota, "quota_source": V1})).findings

    assert (finding.variant, finding.kind) == ("quota", kind)
    assert [e.value for e in finding.evidence] == [quota, V1, 64]


@pytest.mark.parametrize(
    "enough",
    [
        {},
        {"allowed": 8, "mask": "0-7"},
        {"quota": 4.0, "quota_source": V1},
        {"online": 4, "allowed": 4},  # it has no more
        {"online": 2, "allowed": 1},
    ],
)
def test_clear_where_they_are_enough_or_all_there_are(enough: dict[str, object]) -> None:
    assert judge(FAULT, tried(enough)).outcome is Outcome.CLEAR


def test_clear_without_a_gpu() -> None:
    machine = tried({"allowed": 1}, cuda={"state": "absent", "reason": "no libcuda.so.1"})

    assert judge(FAULT, machine).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
