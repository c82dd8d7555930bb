"""nvml-library-not-found"""

from typing import Any

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

SONAME = "libnvidia-ml.so.1"
FAILED = {"state": "absent", "reason": f"{SONAME}: file too short"}
NOWHERE: dict[str, Any] = {"libraries": {SONAME: {"path": None, "real": None, "elf": None}}}


def test_fires_on_an_empty_file_while_cuda_works() -> None:
    loader = {"libraries": {SONAME: {"elf": "empty", "size": 0}}}
    [finding] = judge(
        "nvml-library-not-found", recording("h200-healthy", nvml=FAILED, loader=loader)
    ).findings

    assert (finding.variant, finding.subject) == ("file-damaged", f"library:{SONAME}")


def test_fires_when_only_libcuda_is_installed() -> None:
    loader = NOWHERE | {"nvidia_ml_copies": []}
    [finding] = judge(
        "nvml-library-not-found", recording("h200-healthy", nvml=FAILED, loader=loader)
    ).findings

    assert finding.variant == "not-installed"


def test_fires_on_the_words_of_nvidia_smi() -> None:
    line = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure"

    assert judge("nvml-library-not-found", text(line)).outcome is Outcome.FIRED


def test_clear_on_a_container_runtime_that_is_at_fault_itself() -> None:
    line = "nvidia-container-cli: load library failed: libnvidia-ml.so.1: cannot open shared object file"

    assert judge("nvml-library-not-found", text(line)).findings == ()


def test_clear_in_a_container_without_a_driver() -> None:
    docker = {"state": "read", "engine": "docker", "injected": []}
    loader = NOWHERE | {"nvidia_ml_copies": []}
    snapshot = recording("h200-healthy", nvml=FAILED, loader=loader, container=docker)

    assert judge("nvml-library-not-found", snapshot).outcome is Outcome.CLEAR


def test_clear_when_nvml_loads() -> None:
    snapshot = recording("h200-healthy", loader=NOWHERE)

    assert judge("nvml-library-not-found", snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_nvml_was_not_tried() -> None:
    snapshot = recording("h200-healthy", nvml={"state": "timeout"})

    assert judge("nvml-library-not-found", snapshot).reason == "nvml: timeout"


def test_fires_less_surely_when_nvml_was_not_called() -> None:
    timeout, none = {"state": "timeout"}, {"state": "absent"}
    [likely] = judge(
        "nvml-library-not-found", recording("h200-healthy", nvml=timeout, loader=NOWHERE)
    ).findings
    [certain] = judge("nvml-library-not-found", recording("h200-healthy", nvml=none, loader=NOWHERE)).findings

    assert (likely.certainty, certain.certainty) == ("likely", "certain")
