"""library-file-damaged"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

SITE = "/opt/torch/.venv/lib/python3.12/site-packages"
CUDNN = f"{SITE}/nvidia/cudnn/lib/libcudnn_ops.so.9"
EMPTY = {CUDNN: {"elf": "empty", "size": 0, "owner": "nvidia-cudnn-cu13"}}


def test_fires_although_the_trial_worked_and_reinstalls_the_same_version() -> None:
    [finding] = judge("library-file-damaged", recording("h200-healthy", loader={"damaged": EMPTY})).findings

    assert (finding.subject, finding.certainty) == ("library:libcudnn_ops.so.9", "certain")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {
        "python": "/opt/torch/.venv/bin/python3",
        "requirement": "nvidia-cudnn-cu13==9.19.0.56",
    }


def test_fires_once_for_all_files_of_one_distribution() -> None:
    second = {CUDNN.replace("ops", "cnn"): EMPTY[CUDNN]}
    snapshot = recording("h200-healthy", loader={"damaged": EMPTY | second})
    [finding] = judge("library-file-damaged", snapshot).findings

    assert len(finding.evidence) == 2


def test_fires_on_the_words_of_the_loader_with_the_name() -> None:
    for name in ("libcudnn.so.9", "libcudart.so.12", "libnccl.so.2", "libgomp.so.1", "_C.so"):
        [finding] = judge(
            "library-file-damaged", text(f"ImportError: /env/lib/{name}: file too short")
        ).findings

        assert finding.subject == f"library:{name}"


def test_clear_on_a_file_of_the_driver_which_has_a_fault_of_its_own() -> None:
    for name in ("libcuda.so.1", "libnvidia-ml.so.1"):
        assert judge("library-file-damaged", text(f"/usr/lib/{name}: file too short")).findings == ()


def test_clear_on_a_linker_script_and_on_a_file_that_may_not_be_read() -> None:
    script = {"/env/lib/libncurses.so": {"elf": "not-elf", "size": 31, "owner": None}}
    closed = {"/env/lib/libfoo.so.1": {"elf": "unreadable", "size": 900, "owner": None}}
    snapshot = recording("h200-healthy", loader={"damaged": script | closed})

    assert judge("library-file-damaged", snapshot).outcome is Outcome.CLEAR


def test_conda_packages_are_not_reinstalled_with_pip() -> None:
    conda = {"distributions": {"nvidia-cudnn-cu13": {"installer": "conda"}}}
    snapshot = recording("h200-healthy", loader={"damaged": EMPTY}, python=conda)
    [finding] = judge("library-file-damaged", snapshot).findings

    assert finding.remedy is not None
    assert finding.remedy.automation == "human"


def test_claims_nothing_when_the_files_were_not_looked_at() -> None:
    snapshot = recording("h200-healthy", loader={"damaged": ...})

    assert judge("library-file-damaged", snapshot).reason == "loader.damaged: not-attempted"


def test_fires_without_a_command_when_the_interpreter_was_not_read() -> None:
    snapshot = recording("h200-healthy", loader={"damaged": EMPTY}, python={"state": "timeout"})

    [finding] = judge("library-file-damaged", snapshot).findings

    assert finding.remedy is not None and finding.remedy.automation == "human"
