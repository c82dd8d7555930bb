"""nvjitlink-shadowed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

OWN = "/opt/torch/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvJitLink.so.13"
OTHER = "/usr/local/cuda/lib64/libnvJitLink.so.13"
HIDDEN = {
    "shadowed": {"libnvJitLink.so.13": OTHER},
    "search_path": ["/usr/local/cuda/lib64"],
    "libraries": {"libnvJitLink.so.13": {"path": OTHER, "real": OTHER, "version": "13.0.39"}},
}
BROKEN = {
    "imported": False,
    "error": "ImportError: undefined symbol: __nvJitLinkComplete_13_1, version libnvJitLink.so.13",
}


def test_fires_when_the_other_copy_was_mapped_and_broke_the_import() -> None:
    trial = BROKEN | {"libraries": {"libnvJitLink.so.13": OTHER}}
    [finding] = judge(
        "nvjitlink-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)
    ).findings

    assert (finding.kind, finding.certainty) == ("trouble", "certain")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH"}


def test_fires_less_surely_when_nobody_saw_what_was_mapped() -> None:
    [finding] = judge(
        "nvjitlink-shadowed",
        recording(
            "h200-healthy", loader=HIDDEN, torch_trial=BROKEN | {"libraries": {"libnvJitLink.so.13": ...}}
        ),
    ).findings

    assert (finding.kind, finding.certainty) == ("trouble", "likely")


def test_fires_on_the_words() -> None:
    for line in (
        "ImportError: /env/lib/libcusparse.so.12: undefined symbol: __nvJitLinkGetErrorLog_12_9, version x",
        "symbol __nvJitLinkDestroy_12_6, version x not defined in file libnvJitLink.so.12 with link time",
        "RuntimeError: Unable to load cuSPARSE. Is it installed?",
    ):
        assert judge("nvjitlink-shadowed", text(line)).outcome is Outcome.FIRED


def test_another_copy_that_works_is_only_a_risk() -> None:
    trial = {"libraries": {"libnvJitLink.so.13": OTHER}}
    [finding] = judge(
        "nvjitlink-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)
    ).findings

    assert (finding.kind, finding.certainty) == ("risk", "possible")


def test_clear_when_the_wheels_own_copy_was_mapped() -> None:
    for trial in (
        {"libraries": {"libnvJitLink.so.13": OWN}},
        BROKEN | {"libraries": {"libnvJitLink.so.13": OWN}},
    ):
        snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial=trial)

        assert judge("nvjitlink-shadowed", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_other_copy_is_of_the_same_version_and_works() -> None:
    same = HIDDEN | {"libraries": {"libnvJitLink.so.13": {"path": OTHER, "version": "13.0.88"}}}
    trial = {"libraries": {"libnvJitLink.so.13": OTHER}}

    assert (
        judge("nvjitlink-shadowed", recording("h200-healthy", loader=same, torch_trial=trial)).outcome
        is Outcome.CLEAR
    )


def test_a_failure_for_another_reason_is_not_blamed_on_it() -> None:
    trial = {
        "imported": False,
        "error": "ModuleNotFoundError: numpy",
        "libraries": {"libnvJitLink.so.13": OTHER},
    }
    [finding] = judge(
        "nvjitlink-shadowed", recording("h200-healthy", loader=HIDDEN, torch_trial=trial)
    ).findings

    assert finding.kind == "risk"


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", loader=HIDDEN, torch_trial={"state": "busy"})

    assert judge("nvjitlink-shadowed", snapshot).reason == "torch_trial: busy"
