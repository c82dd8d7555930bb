"""distribution-files-missing"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "distribution-files-missing"
FILE = "nvidia/cu13/lib/libcublas.so.13"


def judged(file: str = FILE, error: str = "ImportError: libcublas.so.13: no", **more: object) -> Verdict:
    python = {"distributions": {"nvidia-cublas": {"missing_files": [file]}}}
    trial = {"imported": False, "error": error}
    return judge(FAULT, recording("h200-healthy", **({"python": python, "torch_trial": trial} | more)))


def test_fires_on_a_missing_library_that_the_error_names() -> None:
    [finding] = judged().findings

    assert (finding.subject, finding.certainty) == ("distribution:nvidia-cublas", Certainty.CERTAIN)
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == "nvidia-cublas==13.1.0.3"


def test_fires_less_surely_when_the_error_names_another_file() -> None:
    [finding] = judged(error="ImportError: other").findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_on_the_words_of_the_loader() -> None:
    line = "OSError: /env/torch/lib/libtorch_global_deps.so: cannot open shared object file: No such file"

    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "verdict",
    [
        judge(FAULT, recording("h200-healthy")),
        judged(torch_trial={}),
        judged("torch/include/ATen/ATen.h"),
        judged(loader={"damaged": {f"/opt/env/{FILE}": {"elf": "empty", "size": 0, "owner": None}}}),
    ],
    ids=["healthy", "imported-anyway", "header", "damaged-is-another-fault"],
)
def test_clear_when_no_needed_file_is_gone(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_without_a_trial() -> None:
    verdict = judged(torch_trial={"state": "timeout"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial: timeout")
