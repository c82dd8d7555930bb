"""cudnn-shadowed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

OWN = "/opt/torch/.venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9"
OTHER = "/usr/local/cuda/lib64/libcudnn.so.9"
HIDDEN = {
    "shadowed": {"libcudnn.so.9": OTHER},
    "search_path": ["/usr/local/cuda/lib64"],
    "libraries": {"libcudnn.so.9": {"path": OTHER, "real": OTHER, "version": "9.1.0"}},
}
BROKEN = {"imported": False, "error": "ImportError: libcudnn_cnn.so.9: undefined symbol: cudnnX"}


def test_fires_when_the_other_copy_was_mapped_and_broke_the_import() -> None:
    trial = BROKEN | {"libraries": {"libcudnn.so.9": OTHER}}
    [finding] = judge("cudnn-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert (finding.kind, finding.certainty) == ("trouble", "certain")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH"}


def test_fires_less_surely_when_nobody_saw_what_was_mapped() -> None:
    [finding] = judge(
        "cudnn-shadowed",
        recording("h200-healthy", loader=HIDDEN, torch_trial=BROKEN | {"libraries": {"libcudnn.so.9": ...}}),
    ).findings

    assert (finding.kind, finding.certainty) == ("trouble", "likely")


def test_fires_on_the_words() -> None:
    for line in (
        "Could not load library libcudnn_cnn.so.9. Error: /opt/x/libcudnn_cnn.so.9: undefined symbol: _ZN5",
        "Looks like your LD_LIBRARY_PATH contains incompatible version of cudnn",
        "cuDNN version incompatibility: PyTorch was compiled  against (8, 5, 0) but linked against (8, 2, 1)",
    ):
        assert judge("cudnn-shadowed", text(line)).outcome is Outcome.FIRED


def test_another_copy_that_works_is_only_a_risk() -> None:
    trial = {"libraries": {"libcudnn.so.9": OTHER}}
    [finding] = judge("cudnn-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert (finding.kind, finding.certainty) == ("risk", "possible")


def test_clear_when_the_wheels_own_copy_was_mapped() -> None:
    for trial in ({"libraries": {"libcudnn.so.9": OWN}}, BROKEN | {"libraries": {"libcudnn.so.9": OWN}}):
        snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial=trial)

        assert judge("cudnn-shadowed", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_other_copy_is_of_the_same_version_and_works() -> None:
    same = HIDDEN | {"libraries": {"libcudnn.so.9": {"path": OTHER, "version": "9.19.0.56"}}}
    trial = {"libraries": {"libcudnn.so.9": OTHER}}

    assert (
        judge("cudnn-shadowed", recording("h200-healthy", loader=same, torch_trial=trial)).outcome
        is Outcome.CLEAR
    )


def test_a_failure_for_another_reason_is_not_blamed_on_it() -> None:
    trial = {"imported": False, "error": "ModuleNotFoundError: numpy", "libraries": {"libcudnn.so.9": OTHER}}
    [finding] = judge("cudnn-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)).findings

    assert finding.kind == "risk"


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial={"state": "busy"})

    assert judge("cudnn-shadowed", snapshot).reason == "torch_trial: busy"
