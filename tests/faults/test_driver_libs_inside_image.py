"""driver-libs-inside-image"""

from typing import Any

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

LIB = "/usr/lib/x86_64-linux-gnu"
DOCKER: dict[str, Any] = {
    "state": "read",
    "engine": "docker",
    "injected": [f"{LIB}/libnvidia-ml.so.580.159.04", f"{LIB}/libcuda.so.580.159.04"],
}
IMAGE = {"real": f"{LIB}/libnvidia-ml.so.590.48.01", "version": "590.48.01"}
LOADER = {"libraries": {"libnvidia-ml.so.1": IMAGE}}


def test_fires_when_the_images_own_library_is_loaded_and_fails() -> None:
    snapshot = recording("h200-healthy", container=DOCKER, loader=LOADER, nvml={"init": 18})
    [finding] = judge("driver-libs-inside-image", snapshot).findings

    assert finding.subject == "library:libnvidia-ml.so.1"
    assert "590.48.01" in finding.summary.say("en")


def test_fires_on_the_refusal_of_the_container_runtime() -> None:
    line = "mount error: file creation failed: /x/merged/usr/lib/libnvidia-ml.so.1: file exists: unknown."
    [finding] = judge("driver-libs-inside-image", text(line)).findings

    assert finding.subject == "library:libnvidia-ml.so.1"


def test_clear_when_the_mounted_library_is_the_one_that_fails() -> None:
    mounted = {"libraries": {"libnvidia-ml.so.1": {"real": DOCKER["injected"][0], "version": "580.1"}}}
    snapshot = recording("h200-healthy", container=DOCKER, loader=mounted, nvml={"init": 18})

    assert judge("driver-libs-inside-image", snapshot).outcome is Outcome.CLEAR


def test_clear_when_nvml_works_in_spite_of_it() -> None:
    snapshot = recording("h200-healthy", container=DOCKER, loader=LOADER)

    assert judge("driver-libs-inside-image", snapshot).outcome is Outcome.CLEAR


def test_clear_where_no_runtime_brings_libraries() -> None:
    changes: list[dict[str, Any]] = [{"engine": "lxc"}, {"injected": []}]
    for change in changes:
        snapshot = recording("h200-healthy", container=DOCKER | change, loader=LOADER, nvml={"init": 18})

        assert judge("driver-libs-inside-image", snapshot).outcome is Outcome.CLEAR


def test_clear_on_a_bare_host() -> None:
    snapshot = recording("h200-healthy", loader=LOADER, nvml={"init": 18})

    assert judge("driver-libs-inside-image", snapshot).outcome is Outcome.CLEAR


def test_fires_less_surely_when_nvml_was_not_called() -> None:
    snapshot = recording("h200-healthy", container=DOCKER, loader=LOADER, nvml={"state": "timeout"})

    [finding] = judge("driver-libs-inside-image", snapshot).findings

    assert finding.certainty == "likely"


def test_fires_on_nvml_when_cuda_was_not_called() -> None:
    cuda = {"state": "timeout"}
    snapshot = recording("h200-healthy", container=DOCKER, loader=LOADER, nvml={"init": 18}, cuda=cuda)

    assert judge("driver-libs-inside-image", snapshot).findings[0].certainty == "certain"


def test_claims_nothing_when_the_container_could_not_be_told() -> None:
    snapshot = recording("h200-healthy", container={"state": "denied"}, loader=LOADER, nvml={"init": 18})

    assert judge("driver-libs-inside-image", snapshot).reason == "container: denied"
