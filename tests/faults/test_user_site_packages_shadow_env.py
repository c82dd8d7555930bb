"""user-site-packages-shadow-env"""

import pytest

from codeblue import pipeline
from codeblue.diagnose.rank import rank
from codeblue.faults import index
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "user-site-packages-shadow-env"
SITE = "/home/u/.local/lib/python3.12/site-packages"


def judged(
    name: str, environment: str = "conda", duplicates: tuple[str, ...] = (), site: str | None = SITE
) -> Verdict:
    python = {
        "environment": environment,
        "user_site": site,
        "distributions": {name: {"version": "1.0", "location": SITE}},
        "duplicates": {other: [f"1.0 at {SITE}", "2.0 at /env"] for other in duplicates},
    }
    return judge(FAULT, recording("h200-healthy", python=python))


@pytest.mark.parametrize("name", ["torch", "nvidia-cublas-cu12"])
def test_fires_as_a_risk_on_a_heavy_package_in_the_user_site(name: str) -> None:
    [finding] = judged(name).findings

    assert finding.kind is Kind.RISK
    assert finding.evidence[1].path == f"python[{name}].location"
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "PYTHONNOUSERSITE", "value": "1"}


def test_fires_on_any_package_that_hides_another_copy() -> None:
    assert judged("numpy", duplicates=("numpy",)).outcome is Outcome.FIRED


def test_a_failed_import_makes_it_the_cause() -> None:
    broken = {"imported": False, "error": "ImportError: x"}
    [failed] = judge("torch-import-failed", recording("h200-healthy", torch_trial=broken)).findings

    causes, consequences = rank([failed, *judged("torch").findings], index.explains())

    assert [cause.finding.fault for cause in causes] == [FAULT]
    assert [effect.finding.fault for effect in consequences] == ["torch-import-failed"]


@pytest.mark.parametrize(
    "verdict",
    [
        judge(FAULT, recording("h200-healthy")),
        judged("torch", environment="system"),
        judged("torch", site=None),
        judged("safetensors"),
    ],
    ids=["healthy", "system", "shut-out", "only-copy"],
)
def test_clear_when_nothing_of_the_environment_is_hidden(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_packages_were_not_read() -> None:
    python = {"environment": "conda", "user_site": SITE, "distributions": ...}

    verdict = judge(FAULT, recording("h200-healthy", python=python))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python.distributions: not-attempted")


def test_comes_first_before_the_arch_that_the_old_copy_lacks() -> None:
    words = text(
        '(nlp) $ python -c "import torch; print(torch.__file__)"',
        "/home/alice/.local/lib/python3.8/site-packages/torch/__init__.py",
        "CUDA error: no kernel image is available for execution on the device",
        "env: conda",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "user-site-packages-shadow-env"
