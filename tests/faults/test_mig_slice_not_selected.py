"""mig-slice-not-selected"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text

FAULT = "mig-slice-not-selected"
ASSERTION = 'RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at "x.cpp":49'


def sliced(mask: str | None = None, init: int = 0, instances: int = 2, mig: bool = True) -> Snapshot:
    cuda: dict[str, Any] = {"init": init, "count": None if init else 1}
    variables: dict[str, str] = {}
    if mask is not None:
        variables = {"CUDA_VISIBLE_DEVICES": mask}
        cuda |= {"unmasked_init": 0, "unmasked_count": 1}
    nvml = {"gpus": {"0": {"mig": mig, "mig_instances": instances}}}
    return recording("h200-healthy", nvml=nvml, cuda=cuda, environment={"variables": variables})


def test_fires_when_the_mask_names_a_whole_gpu() -> None:
    [finding] = judge(FAULT, sliced("GPU-0123", init=100)).findings

    assert (finding.subject, finding.variant) == ("env:CUDA_VISIBLE_DEVICES", "whole-gpu-named")
    assert [e.value for e in finding.evidence] == ["GPU-0123", 2, 100, 1]


def test_fires_as_likely_when_the_job_counted_whole_gpus_on_a_sliced_one() -> None:
    [finding] = judge(FAULT, joined(sliced(), text(ASSERTION))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.LIKELY)


def test_fires_as_a_possibility_on_the_assertion_alone() -> None:
    [finding] = judge(FAULT, text(ASSERTION)).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "snapshot",
    [
        sliced(),
        sliced("0"),
        sliced("MIG-0123", init=100),
        sliced("", init=100),
        sliced("7", init=100, mig=False, instances=0),
    ],
    ids=["first slice", "works", "slice named", "masked on purpose", "no MIG"],
)
def test_clear_when_no_slice_has_to_be_named(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_mig_is_not_known() -> None:
    unread = {"gpus": {"0": {"mig": ...}}}

    assert judge(FAULT, recording("h200-healthy", nvml=unread)).outcome is Outcome.SKIPPED


def test_fires_on_the_words_when_cuda_was_not_called() -> None:
    unread = {"state": "not-attempted"}
    nvml = {"gpus": {"0": {"mig": True, "mig_instances": 2}}}
    machine = recording("h200-healthy", nvml=nvml, cuda=unread)

    assert judge(FAULT, joined(machine, text(ASSERTION))).findings[0].subject == "gpu:0"


SAID = (
    (
        "RuntimeError: No CUDA GPUs are available",
        "# note: CUDA_VISIBLE_DEVICES=0 instead of the MIG UUID",
        "gpu: A100 MIG 1g.10gb",
    ),
    (
        (
            "# note: torch sees one device and asserts num_gpus; we export "
            "CUDA_VISIBLE_DEVICES=0,1 on a card split into MIG slices"
        ),
        "gpu: H100 MIG",
    ),
    (
        "# note: A100 开了 MIG，没有指定实例 UUID，torch.cuda.is_available() 返回 False",
        "gpu: A100 MIG 3g.20gb",
    ),
)
NEAR = (
    "No MIG devices found.",
    "# note: MIG is enabled, no instances were created after the reboot",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "  MIG 1g.10gb     Device  1: (UUID: MIG-2)",
            ">>> torch.cuda.device_count(), torch.cuda.get_device_name()",
            "(1, 'NVIDIA H100 80GB HBM3 MIG 1g.10gb')",
            "'NVIDIA H100 80GB HBM3 MIG 1g.10gb'",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings


def test_clear_when_slices_were_named() -> None:
    words = text(
        "export CUDA_VISIBLE_DEVICES=MIG-aa11,MIG-bb22",
        "torch.cuda.device_count() 1",
    )

    assert judge("mig-slice-not-selected", words).outcome is not Outcome.FIRED
