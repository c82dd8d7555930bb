"""driver-packages-mixed-versions"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

MIXED = {"libraries": {"libnvidia-ml.so.1": {"version": "580.126.09"}}}

INSTALLED = {
    "state": "read",
    "libraries": {
        "/usr/lib/libcuda.so.580.159.04": {"soname": "libcuda.so.1", "version": "580.159.04", "size": 9},
        "/usr/lib/libnvidia-ml.so.580.126.09": {
            "soname": "libnvidia-ml.so.1",
            "version": "580.126.09",
            "size": 9,
        },
    },
    "stale_links": {},
}


def judged(**changes: Any) -> Verdict:
    broken = {"loader": MIXED, "nvml": {"init": 18}, "driver_files": INSTALLED} | changes
    return judge("driver-packages-mixed-versions", recording("h200-healthy", **broken))


def test_fires_when_the_two_libraries_differ_and_one_refuses() -> None:
    [finding] = judged().findings

    assert finding.summary.values == {
        "libcuda": "580.159.04",
        "nvidia_ml": "580.126.09",
        "module": "580.159.04",
    }


def test_clear_when_the_right_file_is_there_and_only_a_link_is_stale() -> None:
    assert judged(driver_files={}).outcome is Outcome.CLEAR


def test_clear_when_they_differ_but_both_start() -> None:
    assert judged(nvml={}).outcome is Outcome.CLEAR


def test_clear_when_they_are_equal_or_one_says_no_version() -> None:
    assert judged(loader={}).outcome is Outcome.CLEAR
    unnamed = {"libraries": {"libnvidia-ml.so.1": {"version": None}}}
    assert judged(loader=unnamed).outcome is Outcome.CLEAR


def test_clear_when_the_other_libcuda_is_a_compat_library() -> None:
    compat = {"libraries": {"libcuda.so.1": {"real": "/usr/local/cuda-13/compat/libcuda.so.610.43.02"}}}

    assert judged(loader={"libraries": MIXED["libraries"] | compat["libraries"]}).outcome is Outcome.CLEAR


def test_fires_on_one_library_when_the_other_timed_out() -> None:
    assert judged(cuda={"state": "timeout"}).outcome is Outcome.FIRED


def test_fires_in_a_container_that_holds_the_packages_itself() -> None:
    container = {"state": "read", "engine": "lxc", "injected": []}

    assert judged(container=container).outcome is Outcome.FIRED


def test_clear_in_a_container_whose_image_brings_the_other_version() -> None:
    injected = ["/usr/local/nvidia/lib64/libcuda.so.580.159.04"]
    container = {"state": "read", "engine": "docker", "injected": injected}

    assert judged(container=container).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_libraries_were_not_called() -> None:
    verdict = judged(nvml={"state": "timeout"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nvml: timeout")


SAID = (
    (
        "Failed to initialize NVML: Driver/library version mismatch",
        "ii  nvidia-driver            470.129.06-6~deb11u1",
        "ii  libnvidia-ml1:amd64      510.85.02-1",
        "# note: I had added the CUDA repo and installed cuda-toolkit from it",
        "os: Debian 11",
    ),
    (
        (
            "# note: I installed the .run file first and later the apt package; now version "
            "mismatch and a reboot does not change anything"
        ),
    ),
    (
        "$ sudo apt install libnvidia-compute-545",
        "$ nvidia-smi",
        "Failed to initialize NVML: Driver/library version mismatch",
        "NVML library version: 545.29",
        "os: Ubuntu 22.04",
    ),
)
NEAR = (
    "Failed to initialize NVML: Driver/library version mismatch",
    "# note: I upgraded the driver an hour ago",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("driver-packages-mixed-versions", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("driver-packages-mixed-versions", text(*NEAR)).outcome is not Outcome.FIRED
