"""cublas-shadowed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

OWN = "/opt/torch/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13"
OTHER = "/usr/local/cuda/lib64/libcublasLt.so.13"
HIDDEN = {
    "shadowed": {"libcublasLt.so.13": OTHER},
    "search_path": ["/usr/local/cuda/lib64"],
    "libraries": {"libcublasLt.so.13": {"path": OTHER, "real": OTHER, "version": "13.0.0.19"}},
}
BROKEN = {
    "imported": False,
    "error": "ImportError: libcublas.so.13: undefined symbol: cublasLtX, version libcublasLt.so.13",
}


def test_fires_when_the_other_copy_was_mapped_and_broke_the_import() -> None:
    trial = BROKEN | {"libraries": {"libcublasLt.so.13": OTHER}}
    [finding] = judge("cublas-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert (finding.kind, finding.certainty) == ("trouble", "certain")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH"}


def test_fires_less_surely_when_nobody_saw_what_was_mapped() -> None:
    [finding] = judge(
        "cublas-shadowed",
        recording(
            "h200-healthy", loader=HIDDEN, torch_trial=BROKEN | {"libraries": {"libcublasLt.so.13": ...}}
        ),
    ).findings

    assert (finding.kind, finding.certainty) == ("trouble", "likely")


def test_fires_on_the_words() -> None:
    for line in (
        "OSError: /env/lib/libcublas.so.12: undefined symbol: cublasLtFoo, version libcublasLt.so.12",
        "/env/lib/libcublas.so.12: version `libcublasLt.so.12' not found (required by x)",
    ):
        assert judge("cublas-shadowed", text(line)).outcome is Outcome.FIRED


def test_another_copy_that_works_is_only_a_risk() -> None:
    trial = {"libraries": {"libcublasLt.so.13": OTHER}}
    [finding] = judge("cublas-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert (finding.kind, finding.certainty) == ("risk", "possible")


def test_clear_when_the_wheels_own_copy_was_mapped() -> None:
    for trial in (
        {"libraries": {"libcublasLt.so.13": OWN}},
        BROKEN | {"libraries": {"libcublasLt.so.13": OWN}},
    ):
        snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial=trial)

        assert judge("cublas-shadowed", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_other_copy_is_of_the_same_version_and_works() -> None:
    same = HIDDEN | {"libraries": {"libcublasLt.so.13": {"path": OTHER, "version": "13.1.0.3"}}}
    trial = {"libraries": {"libcublasLt.so.13": OTHER}}

    assert (
        judge("cublas-shadowed", recording("h200-healthy", loader=same, torch_trial=trial)).outcome
        is Outcome.CLEAR
    )


def test_a_failure_for_another_reason_is_not_blamed_on_it() -> None:
    trial = {
        "imported": False,
        "error": "ModuleNotFoundError: numpy",
        "libraries": {"libcublasLt.so.13": OTHER},
    }
    [finding] = judge("cublas-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert finding.kind == "risk"


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial={"state": "busy"})

    assert judge("cublas-shadowed", snapshot).reason == "torch_trial: busy"


def test_clear_on_an_extension_that_was_not_linked_with_cublas() -> None:
    line = "ImportError: /env/my_ext.so: undefined symbol: cublasCreate_v2"

    assert judge("cublas-shadowed", text(line)).findings == ()


def test_a_lack_of_memory_with_another_copy_mapped_is_not_certain() -> None:
    device = {"0": {"ok": False, "error": "CUBLAS_STATUS_ALLOC_FAILED"}}
    trial = {"devices": device, "libraries": {"libcublasLt.so.13": OTHER}}
    [finding] = judge("cublas-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert finding.certainty == "likely"
