"""cpu-only-torch-build"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text

FAULT = "cpu-only-torch-build"


OTHERS = dict.fromkeys(("jax", "jaxlib", "cupy-cuda13x", "onnxruntime"), ...)
"""What the recorded environment also has; beside it a CPU build of torch may be meant."""


def cpu_build(version: str = "2.11.0+cpu", **changes: object) -> Snapshot:
    python = {"distributions": OTHERS | dict(changes.pop("distributions", {}) or {})}  # type: ignore[call-overload]
    return recording("h200-healthy", torch={"version": version, "cuda": None}, python=python, **changes)


def test_fires_and_chooses_the_newest_build_for_the_driver() -> None:
    [finding] = judge(FAULT, cpu_build()).findings

    assert finding.certainty is Certainty.CERTAIN
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == "torch==2.11.0+cu130"


def test_fires_and_stays_within_an_older_driver() -> None:
    [finding] = judge(FAULT, cpu_build(driver={"module_version": "550.54.15"})).findings

    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["index"] == "https://download.pytorch.org/whl/cu128"


def test_fires_and_takes_the_newest_that_works_for_an_unknown_release() -> None:
    [finding] = judge(FAULT, cpu_build("2.99.0")).findings

    assert finding.remedy is not None
    step = finding.remedy.steps[0]
    assert (step.verb, step.args["requirement"]) == (Verb.PIP_INSTALL, "torch==2.15.0+cu132")


def test_fires_less_surely_beside_another_framework() -> None:
    [finding] = judge(FAULT, cpu_build(distributions={"jax": {"version": "0.9"}})).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("AssertionError: Torch not compiled with CUDA enabled", Certainty.CERTAIN),
        ("torch                    2.2.2+cpu", Certainty.POSSIBLE),
        ("torch==2.2.2+cpu", Certainty.POSSIBLE),
        ("PyTorch version: 2.9.1+cpu", Certainty.POSSIBLE),
        ("'2.9.1+cpu'", Certainty.POSSIBLE),
        ("pytorch   2.4.0   py3.11_cpu_0   pytorch", Certainty.POSSIBLE),
        ("CUDA used to build PyTorch: None", Certainty.POSSIBLE),
    ],
)
def test_fires_on_text(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


def test_fires_once_when_machine_and_text_agree() -> None:
    words = text("AssertionError: Torch not compiled with CUDA enabled")

    [finding] = judge(FAULT, joined(cpu_build(), words)).findings

    assert finding.evidence[-1].source == "train.log:1"


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy"),
        recording("h200-healthy", torch={"version": "2.11.0+rocm7", "cuda": None, "hip": "7.0"}),
        cpu_build("2.11.0+xpu"),
        cpu_build(pci={"functions": {}, "nvidia_gpus": []}),
        cpu_build(container={"state": "read", "engine": "docker", "injected": []}, nodes={"state": "absent"}),
        cpu_build("2.9.1", host={"machine": "aarch64"}),
    ],
    ids=["cuda", "rocm", "xpu", "no-gpu", "container-without-gpu", "pypi-for-arm"],
)
def test_clear_where_no_cuda_build_is_missing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_build_is_unknown() -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch={"cuda": ..., "unread": {"cuda": "denied"}}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch.cuda: denied")


def test_fires_when_the_driver_and_the_loader_were_not_read() -> None:
    error = {"state": "error"}
    torch = {"cuda": None, "version": "2.11.0+cpu"}
    snapshot = recording("h200-healthy", torch=torch, driver=error, loader=error)

    assert judge("cpu-only-torch-build", snapshot).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [("torch.cuda.is_available() False", "# note: the Dockerfile now takes torch from the cpu index")],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


def test_fires_on_version_and_cuda_side_by_side() -> None:
    words = text(
        ">>> print(torch.__version__, torch.version.cuda)",
        "2.6.0+cpu None",
        "gpu: L4",
    )

    assert judge("cpu-only-torch-build", words).outcome is Outcome.FIRED


def test_fires_where_torch_says_that_it_has_no_cuda() -> None:
    words = text(
        "torch.backends.cuda.is_built(): False",
    )

    assert judge("cpu-only-torch-build", words).outcome is Outcome.FIRED


def test_clear_where_torch_says_that_it_was_built_with_cuda() -> None:
    words = text(
        ">>> torch.backends.cuda.is_built()",
        "True",
        ">>> torch.cuda.is_available()",
        "False",
    )

    assert judge("cpu-only-torch-build", words).outcome is not Outcome.FIRED
