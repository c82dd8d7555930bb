"""mig-enabled-without-instances"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "mig-enabled-without-instances"


def machine(init: int = 100, mig: bool = True, instances: int = 0, **changes: Any) -> Snapshot:
    sections: dict[str, Any] = {
        "nvml": {"gpus": {"0": {"mig": mig, "mig_instances": instances}}},
        "cuda": {"init": init, "count": None if init else 1},
    }
    return recording("h200-healthy", **(sections | changes))


def test_fires_when_mig_is_on_and_cuda_finds_nothing() -> None:
    [finding] = judge(FAULT, machine()).findings

    assert finding.subject == "gpu:0"
    assert [e.value for e in finding.evidence] == [True, 0, 100]


def test_fires_as_a_possibility_on_the_words_of_nvidia_smi() -> None:
    [finding] = judge(FAULT, text("|  No MIG devices found                              |")).findings

    assert finding.certainty is Certainty.POSSIBLE


OTHER_GPU = {"0": {"mig": True, "mig_instances": 0}, "1": {"handle": 0, "mig": False, "mig_instances": 0}}
MASKED: dict[str, Any] = {
    "cuda": {"init": 100, "count": None, "unmasked_init": 0, "unmasked_count": 1},
    "environment": {"variables": {"CUDA_VISIBLE_DEVICES": ""}},
}


@pytest.mark.parametrize(
    "snapshot",
    [
        machine(init=0),
        machine(init=999),
        machine(instances=2),
        machine(mig=False),
        machine(nvml={"gpus": OTHER_GPU}),
        machine(**MASKED),
    ],
    ids=["works", "another code", "instances", "MIG off", "another GPU", "masked"],
)
def test_clear_when_mig_does_not_explain_it(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_instances_were_not_counted() -> None:
    unread = {"gpus": {"0": {"mig": True, "mig_instances": ...}}}

    assert judge(FAULT, machine(nvml=unread)).outcome is Outcome.SKIPPED


def test_fires_beside_a_lost_gpu_and_less_surely_when_cuda_was_not_called() -> None:
    rows = {"0": {"mig": True, "mig_instances": 0}, "1": {"handle": 15}}

    [finding] = judge(FAULT, machine(nvml={"gpus": rows}, cuda={"state": "timeout"})).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.LIKELY)
