"""libcuda-not-found"""

from typing import Any

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAILED = {"state": "absent", "reason": "libcuda.so.1: cannot open shared object file"}
NOWHERE: dict[str, Any] = {"libraries": {"libcuda.so.1": {"path": None, "real": None, "elf": None}}}
EMPTY = {"libraries": {"libcuda.so.1": {"elf": "empty", "size": 0}}}
DOCKER = {"state": "read", "engine": "docker", "injected": []}


def test_fires_on_an_empty_file_of_the_driver() -> None:
    snapshot = recording("h200-healthy", cuda=FAILED, loader=EMPTY)
    [finding] = judge("libcuda-not-found", snapshot).findings

    assert (finding.variant, finding.certainty) == ("file-damaged", "certain")
    assert finding.remedy is not None
    assert "580.159.04" in finding.remedy.steps[0].why.say("en")


def test_fires_when_a_copy_lies_off_the_path() -> None:
    snapshot = recording("h200-healthy", cuda=FAILED, loader=NOWHERE)
    [finding] = judge("libcuda-not-found", snapshot).findings

    assert finding.variant == "not-on-path"
    assert "/usr/local/nvidia/lib64/libcuda.so.580.159.04" in finding.summary.say("en")


def test_fires_when_torch_expects_a_libcuda_that_is_not_installed() -> None:
    stub = "/usr/local/cuda/lib64/stubs/libcuda.so"
    loader = NOWHERE | {"libcuda_copies": [stub], "nvidia_ml_copies": []}
    [finding] = judge("libcuda-not-found", recording("h200-healthy", cuda=FAILED, loader=loader)).findings

    assert finding.variant == "not-installed"


def test_fires_under_wsl_without_a_kernel_module() -> None:
    loader = NOWHERE | {"libcuda_copies": ["/usr/lib/wsl/lib/libcuda.so.1"]}
    none = {"state": "absent", "reason": ""}
    snapshot = recording("h200-healthy", cuda=FAILED, loader=loader, driver=none, host={"wsl": True})
    [finding] = judge("libcuda-not-found", snapshot).findings

    assert finding.variant == "not-on-path"


def test_fires_on_the_words_of_the_loader() -> None:
    line = "OSError: libcuda.so.1: cannot open shared object file: No such file or directory"

    assert judge("libcuda-not-found", text(line)).outcome is Outcome.FIRED


def test_clear_on_the_warning_of_a_program_that_goes_on_without_a_gpu() -> None:
    line = "W Could not load dynamic library; dlerror: libcuda.so.1: cannot open shared object file"

    assert judge("libcuda-not-found", text(line)).findings == ()


def test_clear_in_a_container_that_was_started_without_a_driver() -> None:
    loader = NOWHERE | {"libcuda_copies": []}
    snapshot = recording("h200-healthy", cuda=FAILED, loader=loader, container=DOCKER)

    assert judge("libcuda-not-found", snapshot).outcome is Outcome.CLEAR


def test_clear_on_a_node_whose_driver_lives_in_a_container() -> None:
    contained = "/run/nvidia/driver/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04"
    loader = NOWHERE | {"libcuda_copies": [contained], "nvidia_ml_copies": []}
    torch = {"state": "absent", "reason": ""}
    snapshot = recording("h200-healthy", cuda=FAILED, loader=loader, torch=torch)

    assert judge("libcuda-not-found", snapshot).outcome is Outcome.CLEAR


def test_clear_without_the_kernel_module_or_a_gpu() -> None:
    absent = {"state": "absent", "reason": ""}
    changes: list[dict[str, Any]] = [{"driver": absent}, {"pci": {"nvidia_gpus": []}}]
    for change in changes:
        snapshot = recording("h200-healthy", cuda=FAILED, loader=NOWHERE, **change)

        assert judge("libcuda-not-found", snapshot).outcome is Outcome.CLEAR


def test_clear_when_cuda_loads() -> None:
    assert judge("libcuda-not-found", recording("h200-healthy", loader=NOWHERE)).outcome is Outcome.CLEAR


def test_fires_less_surely_when_cuda_was_not_called() -> None:
    timeout = {"state": "timeout"}
    [nowhere] = judge("libcuda-not-found", recording("h200-healthy", cuda=timeout, loader=NOWHERE)).findings
    [empty] = judge("libcuda-not-found", recording("h200-healthy", cuda=timeout, loader=EMPTY)).findings
    [absent] = judge("libcuda-not-found", recording("h200-healthy", cuda=FAILED, loader=NOWHERE)).findings

    assert (nowhere.certainty, empty.certainty, absent.certainty) == ("likely", "certain", "certain")


def test_claims_nothing_when_cuda_was_not_called_and_the_library_is_there() -> None:
    snapshot = recording("h200-healthy", cuda={"state": "timeout"})

    assert judge("libcuda-not-found", snapshot).reason == "cuda: timeout"


def test_claims_nothing_when_the_loader_was_not_read() -> None:
    snapshot = recording("h200-healthy", cuda=FAILED, loader={"state": "error"})

    assert judge("libcuda-not-found", snapshot).reason == "loader: error"
