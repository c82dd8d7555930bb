"""driver-upgraded-without-reboot"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

OLD_MODULE = {"module_version": "580.126.09"}
MISMATCH = {"init": 18}


def judged(**changes: Any) -> Verdict:
    broken = {"driver": OLD_MODULE, "nvml": MISMATCH} | changes
    return judge("driver-upgraded-without-reboot", recording("h200-healthy", **broken))


def test_fires_when_the_libraries_are_newer_and_nvml_refuses() -> None:
    [finding] = judged().findings

    assert finding.certainty is Certainty.CERTAIN
    assert finding.summary.values == {"module": "580.126.09", "library": "580.159.04"}
    assert "nvml.init" in [e.path for e in finding.evidence]


def test_fires_when_only_cuda_refuses() -> None:
    [finding] = judged(nvml={}, cuda={"init": 803}).findings

    assert finding.evidence[-1].path == "cuda.init"


def test_fires_less_surely_in_a_container_with_the_hosts_libraries() -> None:
    container = {"state": "read", "engine": "docker", "injected": ["/usr/local/nvidia"]}

    [finding] = judged(container=container).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_on_the_words_of_nvidia_smi_and_of_the_kernel() -> None:
    for line in (
        "Failed to initialize NVML: Driver/library version mismatch",
        "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown.",
        "[ 71.2] NVRM: API mismatch: the client has the version 580.159.04, but",
    ):
        [finding] = judge("driver-upgraded-without-reboot", text(line)).findings
        assert finding.certainty is Certainty.LIKELY


def test_fires_as_a_possibility_on_error_803_which_has_other_causes() -> None:
    line = "Error 803: system has unsupported display driver / cuda driver combination"

    [finding] = judge("driver-upgraded-without-reboot", text(line)).findings

    assert finding.certainty is Certainty.POSSIBLE


def test_clear_when_versions_differ_but_everything_works() -> None:
    assert judged(nvml={}).outcome is Outcome.CLEAR


def test_clear_when_versions_are_equal_or_the_library_is_the_older_one() -> None:
    assert judged(driver={}).outcome is Outcome.CLEAR
    assert judged(driver={"module_version": "595.45.04"}).outcome is Outcome.CLEAR


def test_clear_when_the_two_libraries_differ_among_themselves() -> None:
    mixed = {"libraries": {"libnvidia-ml.so.1": {"version": "580.126.09"}}}

    assert judged(loader=mixed).outcome is Outcome.CLEAR


def test_clear_in_a_container_with_a_library_of_its_own() -> None:
    for injected in ([], ["/usr/local/nvidia/lib64/libcuda.so.1"], ["/usr/local/nvi"]):
        container = {"state": "read", "engine": "docker", "injected": injected}
        assert judged(container=container).outcome is Outcome.CLEAR


def test_clear_when_the_newer_libcuda_is_a_compat_library() -> None:
    compat = {
        "libraries": {
            "libcuda.so.1": {"real": "/usr/local/cuda/compat/libcuda.so.610.43.02", "version": "610.43.02"},
            "libnvidia-ml.so.1": {"version": "580.126.09"},
        }
    }

    assert judged(loader=compat, nvml={}, cuda={"init": 803}).outcome is Outcome.CLEAR


def test_fires_on_one_library_when_the_other_timed_out() -> None:
    assert judged(cuda={"state": "timeout"}).outcome is Outcome.FIRED
    assert judged(nvml={"state": "timeout"}, cuda={"init": 803}).outcome is Outcome.FIRED


def test_claims_nothing_when_the_container_could_not_be_told() -> None:
    assert judged(container={"state": "denied"}).reason == "container: denied"


def test_claims_nothing_when_the_loader_was_not_asked() -> None:
    verdict = judged(loader={"state": "error"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "loader: error")


SAID = (
    (
        "# note: unattended-upgrades 半夜把驱动升级了，机器没有重启，nvidia-smi 报版本不匹配",
        "os: Ubuntu 22.04",
    ),
    (
        (
            "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has "
            "unsupported display driver / cuda driver combination"
        ),
        "# note: I updated the driver with apt just now",
        "driver: 550.54 loaded",
    ),
    (
        "NVRM: API mismatch: the client has the version 535.161.07, but",
        "NVRM: this kernel module has the version 535.154.05.",
        "driver: 535.154",
    ),
)
NEAR = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    "# note: the kernel was upgraded and the machine rebooted",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("driver-upgraded-without-reboot", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("driver-upgraded-without-reboot", text(*NEAR)).outcome is not Outcome.FIRED


def test_comes_first_before_a_compat_library_that_only_may_be_there() -> None:
    words = text(
        "RuntimeError: Error 803: system has unsupported display driver / cuda driver combination",
        "NVRM: API mismatch: the client has the version 570.86.15, but",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "driver-upgraded-without-reboot"
