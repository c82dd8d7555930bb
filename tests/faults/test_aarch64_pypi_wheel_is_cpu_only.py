"""aarch64-pypi-wheel-is-cpu-only"""

import pytest

from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording, text

FAULT = "aarch64-pypi-wheel-is-cpu-only"


def judged(
    version: str = "2.9.1", machine: str = "aarch64", cuda: str | None = None, **more: object
) -> Verdict:
    torch = {"version": version, "cuda": cuda}
    return judge(FAULT, recording("h200-healthy", host={"machine": machine}, torch=torch, **more))


def test_fires_on_arm_before_2_4_and_moves_to_a_release_with_cuda() -> None:
    [finding] = judged("2.3.1").findings

    assert finding.remedy is not None
    step = finding.remedy.steps[0]
    assert (step.verb, step.args["requirement"]) == (Verb.PIP_INSTALL, "torch==2.15.0+cu132")


@pytest.mark.parametrize(("version", "build"), [("2.5.1", "cu124"), ("2.6.0", "cu126"), ("2.9.1", "cu130")])
def test_fires_and_takes_the_cuda_index_where_it_has_arm_wheels(version: str, build: str) -> None:
    [finding] = judged(version).findings

    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == f"torch=={version}+{build}"


@pytest.mark.parametrize(
    "verdict",
    [
        judged(machine="x86_64"),
        judged("2.11.0+cpu"),
        judged("2.11.0", cuda="13.0"),
        judged(pci={"functions": {}, "nvidia_gpus": []}),
    ],
    ids=["x86", "release-with-cuda", "cuda", "no-gpu"],
)
def test_clear_elsewhere(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_version_is_unknown() -> None:
    torch = {"version": ..., "cuda": None, "unread": {"version": "error"}}

    verdict = judge(FAULT, recording("h200-healthy", host={"machine": "aarch64"}, torch=torch))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch.version: error")


def test_fires_on_version_and_cuda_side_by_side() -> None:
    words = text(
        "$ python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
        "2.5.1 None",
        "os: Linux aarch64",
    )

    assert judge("aarch64-pypi-wheel-is-cpu-only", words).outcome is Outcome.FIRED
