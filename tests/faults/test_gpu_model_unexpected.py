"""gpu-model-unexpected"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "gpu-model-unexpected"


def outcome(name: str, *allowed: str) -> Outcome:
    """Judge a machine whose GPU has this name."""
    gpu = {"gpus": {"0": {"name": name}}}
    snapshot = recording("h200-healthy", nvml=gpu, expectations=expecting(gpu=list(allowed)))
    return judge(FAULT, snapshot).outcome


def test_fires_on_another_model() -> None:
    snapshot = recording("h200-healthy", expectations=expecting(gpu=["H100", "B200"]))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.subject == "gpu:0"
    assert finding.summary.say("en") == "GPU 0: NVIDIA H200; the site expects H100 / B200"


def test_fires_once_for_many_gpus() -> None:
    gpus = {str(n): {"handle": 0, "name": "NVIDIA L4"} for n in range(4)}

    [finding] = judge(
        FAULT, recording("h200-healthy", nvml={"gpus": gpus}, expectations=expecting(gpu=["H200"]))
    ).findings

    assert (finding.subject, finding.summary.values["gpus"]) == ("host", "0, 1, 2, 3")


@pytest.mark.parametrize(
    ("name", "allowed"),
    [("NVIDIA L40", "L4"), ("NVIDIA A100-PCIE-40GB", "A100 SXM4"), ("NVIDIA H200", "H20")],
)
def test_fires_on_a_name_that_only_looks_alike(name: str, allowed: str) -> None:
    assert outcome(name, allowed) is Outcome.FIRED


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("NVIDIA H200", "NVIDIA H200"),
        ("NVIDIA H100 80GB HBM3", "h100"),
        ("NVIDIA A100-SXM4-80GB", "A100 SXM4 80GB"),
    ],
)
def test_clear_on_an_allowed_model(name: str, allowed: str) -> None:
    assert outcome(name, "Tesla T4", allowed) is Outcome.CLEAR


def test_clear_when_nothing_is_expected() -> None:
    assert judge(FAULT, recording("h200-healthy", expectations=expecting())).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_name_was_not_read() -> None:
    snapshot = recording(
        "h200-healthy", nvml={"gpus": {"0": {"name": ...}}}, expectations=expecting(gpu=["H100"])
    )

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
