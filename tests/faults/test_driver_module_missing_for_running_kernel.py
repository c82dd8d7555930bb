"""driver-module-missing-for-running-kernel"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

ABSENT = {"state": "absent"}
NOTHING_LOADED = {
    "state": "read",
    "loaded": {},
    "on_disk": [],
    "other_kernels": ["6.8.0-40-generic"],
    "blacklisted": {},
    "built_in": False,
}
NO_LIBRARIES = {"state": "read", "libraries": {}, "stale_links": {}}


def judged(**changes: Any) -> Verdict:
    broken = {"driver": ABSENT, "modules": NOTHING_LOADED} | changes
    return judge("driver-module-missing-for-running-kernel", recording("h200-healthy", **broken))


def test_fires_when_only_other_kernels_have_the_module() -> None:
    [finding] = judged().findings

    assert finding.variant is None
    assert finding.certainty is Certainty.CERTAIN
    assert finding.summary.values == {"kernel": "6.18.44", "others": "6.8.0-40-generic"}


def test_fires_when_only_libraries_show_that_the_driver_was_installed() -> None:
    [finding] = judged(modules=NOTHING_LOADED | {"other_kernels": []}).findings

    assert finding.variant is None


def test_fires_less_surely_when_no_part_of_the_driver_is_there() -> None:
    [finding] = judged(modules=NOTHING_LOADED | {"other_kernels": []}, driver_files=NO_LIBRARIES).findings

    assert (finding.variant, finding.certainty) == ("not-installed", Certainty.LIKELY)


def test_fires_on_the_words_of_modprobe() -> None:
    line = "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.1.0-30-amd64"

    assert judge("driver-module-missing-for-running-kernel", text(line)).outcome is Outcome.FIRED


def test_clear_when_a_module_is_on_disk_loaded_or_built_in() -> None:
    on_disk = NOTHING_LOADED | {"on_disk": ["/lib/modules/6.18.44/updates/dkms/nvidia.ko"]}
    loaded = NOTHING_LOADED | {"loaded": {"nvidia": {"size": 1, "references": 0, "used_by": []}}}

    assert judged(modules=on_disk).outcome is Outcome.CLEAR
    assert judged(modules=loaded).outcome is Outcome.CLEAR
    assert judged(modules=NOTHING_LOADED | {"built_in": True}).outcome is Outcome.CLEAR
    healthy = recording("h200-healthy")
    assert judge("driver-module-missing-for-running-kernel", healthy).outcome is Outcome.CLEAR


def test_clear_in_a_container_which_cannot_see_the_files_of_its_host() -> None:
    container = {"state": "read", "engine": "docker", "injected": []}

    assert judged(container=container).outcome is Outcome.CLEAR


def test_clear_on_a_host_that_gives_its_gpus_to_virtual_machines() -> None:
    assert judged(pci={"functions": {"0000:00:06.0": {"driver": "vfio-pci"}}}).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_modules_could_not_be_read() -> None:
    verdict = judged(modules={"state": "denied"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "modules: denied")


def test_fires_without_the_driver_files_if_other_kernels_have_the_module() -> None:
    error = {"state": "error"}

    assert judged(driver_files=error).outcome is Outcome.FIRED
    verdict = judged(driver_files=error, modules=NOTHING_LOADED | {"other_kernels": []})
    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "driver_files: error")


SAID = (
    (
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
            "Make sure that the latest NVIDIA driver is installed and running."
        ),
        "$ uname -r",
        "5.15.0-91-generic",
        "$ dkms status",
        "nvidia, 470.223.02, 5.15.0-89-generic, x86_64: installed",
        "os: Ubuntu 20.04",
    ),
    ("# note: 系统自动更新了内核，重启之后 nvidia-smi 报错说无法和驱动通信",),
    (
        (
            "# note: yum update brought kernel 4.18.0-513, now nvidia-smi couldn't "
            "communicate with the driver; kernel-devel for it is absent"
        ),
        "os: RHEL 8",
    ),
)
NEAR = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    "# note: new kernel, and nouveau took the card",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("driver-module-missing-for-running-kernel", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("driver-module-missing-for-running-kernel", text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [("No GPU instances found: Not Found", "# note: since the kernel update the seven slices are gone")],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge("driver-module-missing-for-running-kernel", text(*lines)).findings
