"""glibc-too-old-for-torch"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

ERROR = (
    "ImportError: /lib64/libc.so.6: version `GLIBC_2.28' not found "
    "(required by /env/lib/python3.12/site-packages/torch/lib/libtorch_cpu.so)"
)
FAILED = {"imported": False, "error": ERROR}


def test_fires_with_both_versions_and_names_the_last_release_that_fits() -> None:
    snapshot = recording("h200-healthy", host={"glibc": "2.17"}, torch_trial=FAILED)
    [finding] = judge("glibc-too-old-for-torch", snapshot).findings

    assert finding.summary.values == {"version": "2.11.0+cu130", "needed": "2.28", "glibc": "2.17"}
    assert finding.remedy is not None
    assert finding.remedy.steps[1].why.values["version"] == "2.6.0"


def test_fires_on_the_words() -> None:
    assert judge("glibc-too-old-for-torch", text(ERROR)).outcome is Outcome.FIRED


def test_clear_on_an_old_system_whose_torch_imports() -> None:
    snapshot = recording("h200-healthy", host={"glibc": "2.17"})

    assert judge("glibc-too-old-for-torch", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_import_fails_for_another_reason() -> None:
    trial = {"imported": False, "error": "ModuleNotFoundError: No module named 'numpy'"}
    snapshot = recording("h200-healthy", host={"glibc": "2.17"}, torch_trial=trial)

    assert judge("glibc-too-old-for-torch", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_words_are_about_another_program() -> None:
    for program in ("node", "/env/torch/lib/../../../libcurand.so.10"):
        line = f"/lib64/libc.so.6: version `GLIBC_2.28' not found (required by {program})"

        assert judge("glibc-too-old-for-torch", text(line)).findings == ()


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", host={"glibc": "2.17"}, torch_trial={"state": "busy"})

    assert judge("glibc-too-old-for-torch", snapshot).reason == "torch_trial: busy"
