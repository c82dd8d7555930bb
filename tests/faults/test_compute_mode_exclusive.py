"""compute-mode-exclusive"""

from typing import Any

import pytest
from msgspec import structs

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

FAULT = "compute-mode-exclusive"
REFUSED = "torch.AcceleratorError: CUDA error: CUDA-capable device(s) is/are busy or unavailable"
HOLDER = {"pid": 41, "memory_bytes": 1 << 30, "name": "python3"}


def gpu(mode: str, *processes: dict[str, Any]) -> dict[str, Any]:
    return {"gpus": {"0": {"compute_mode": mode, "processes": list(processes)}}}


def test_fires_with_certainty_when_a_process_was_refused_and_another_holds_the_gpu() -> None:
    machine = recording("h200-healthy", nvml=gpu("exclusive-process", HOLDER))

    [finding] = judge(FAULT, joined(machine, text(REFUSED))).findings

    assert (finding.subject, finding.kind, finding.certainty) == ("gpu:0", Kind.TROUBLE, Certainty.CERTAIN)
    assert "pid 41" in finding.summary.say("en")
    assert REFUSED in [e.value for e in finding.evidence]


def test_fires_as_likely_when_the_holder_cannot_be_seen() -> None:
    machine = recording("h200-healthy", nvml=gpu("exclusive-process"))

    [finding] = judge(FAULT, joined(machine, text(REFUSED))).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)


def test_fires_as_a_risk_while_nobody_was_refused() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nvml=gpu("exclusive-process", HOLDER))).findings

    assert finding.kind is Kind.RISK


def test_fires_on_prohibited_mode() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nvml=gpu("prohibited"))).findings

    assert (finding.kind, finding.variant) == (Kind.TROUBLE, "prohibited")


@pytest.mark.parametrize("words", [REFUSED, "all CUDA-capable devices are busy or unavailable"])
def test_fires_as_likely_on_the_error_alone(words: str) -> None:
    [finding] = judge(FAULT, text(words)).findings

    assert finding.certainty is Certainty.LIKELY


@pytest.mark.parametrize(
    "nvml",
    [
        gpu("default", HOLDER),
        gpu("exclusive-process"),
        gpu("exclusive-process", HOLDER | {"name": "nvidia-cuda-mps-server"}),
    ],
    ids=["default", "nobody there", "MPS"],
)
def test_clear_when_nobody_is_turned_away(nvml: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", nvml=nvml)).outcome is Outcome.CLEAR


def test_clear_of_the_refusal_on_another_host() -> None:
    machine = recording("h200-healthy", nvml=gpu("exclusive-process"))
    elsewhere = "node-b:7:7 [0] NCCL WARN Cuda failure 'CUDA-capable device(s) is/are busy or unavailable'"
    words = text(elsewhere)
    moved = joined(machine, words)
    moved.views[1].sightings.seen[0] = _on(moved.views[1].sightings.seen[0], "host-b")

    [finding] = judge(FAULT, moved).findings

    assert finding.subject == "log"


def _on(sighting: Any, host: str) -> Any:
    return structs.replace(sighting, host=host)


def test_claims_nothing_when_the_mode_is_not_known() -> None:
    unread = {"gpus": {"0": {"compute_mode": ...}}}

    assert judge(FAULT, recording("h200-healthy", nvml=unread)).outcome is Outcome.SKIPPED


def test_fires_without_a_text_and_beside_a_lost_gpu() -> None:
    rows = gpu("prohibited")["gpus"] | {"1": {"handle": 15}}
    machine = recording("h200-healthy", nvml={"gpus": rows}, sightings={"state": "not-attempted"})

    assert [finding.subject for finding in judge(FAULT, machine).findings] == ["gpu:0"]


SAID = (
    (
        "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
        "|   0  Tesla V100   Off | 00000000:04:00.0 Off |  0 |  E. Process |",
    ),
    (
        (
            "# note: GPU 被管理员设成独占模式，第二个进程启动就报 all CUDA-capable devices "
            "are busy or unavailable"
        ),
        "gpu: V100",
    ),
    (
        "cudaErrorDevicesUnavailable",
        "# note: nvidia-smi -c 3 had been set by the admin",
        "gpu: K80",
    ),
)
NEAR = (
    "torch.OutOfMemoryError: CUDA out of memory.",
    "# note: compute mode Default, a second process runs",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    "lines", [("CUDA out of memory. GPU 0 has 100.00 MiB free. Process 99 has 15.5 GiB memory in use.",)]
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
