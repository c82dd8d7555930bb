"""stale-driver-library-symlink"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording

OLD = {"real": "/usr/local/nvidia/lib64/libnvidia-ml.so.570.86.10", "version": "570.86.10"}
LINK = "/usr/local/nvidia/lib64/libcuda.so.1"


def test_fires_when_nvml_is_older_than_the_module_and_the_right_file_exists() -> None:
    snapshot = recording("h200-healthy", nvml={"init": 18}, loader={"libraries": {"libnvidia-ml.so.1": OLD}})
    [finding] = judge("stale-driver-library-symlink", snapshot).findings

    assert finding.subject == "library:libnvidia-ml.so.1"
    assert finding.remedy is not None
    assert finding.remedy.steps[0].verb == "ldconfig"


def test_fires_on_a_dangling_link_that_keeps_libcuda_from_loading() -> None:
    snapshot = recording(
        "h200-healthy",
        cuda={"state": "absent", "reason": "not found"},
        loader={"libraries": {"libcuda.so.1": {"path": None, "real": None, "version": None}}},
        driver_files={"stale_links": {LINK: "libcuda.so.570.86.10"}},
    )
    [finding] = judge("stale-driver-library-symlink", snapshot).findings

    assert "libcuda.so.570.86.10" in finding.summary.say("en")


def test_clear_when_the_library_is_newer_and_the_machine_waits_for_a_reboot() -> None:
    newer = {"libraries": {"libnvidia-ml.so.1": {"version": "580.200.01"}}}
    snapshot = recording("h200-healthy", nvml={"init": 18}, loader=newer)

    assert judge("stale-driver-library-symlink", snapshot).outcome is Outcome.CLEAR


def test_clear_when_everything_works_in_spite_of_a_dangling_link() -> None:
    snapshot = recording("h200-healthy", driver_files={"stale_links": {LINK: "libcuda.so.570.86.10"}})

    assert judge("stale-driver-library-symlink", snapshot).outcome is Outcome.CLEAR


def test_clear_when_no_file_of_the_right_version_is_installed() -> None:
    snapshot = recording(
        "h200-healthy",
        nvml={"init": 18},
        driver={"module_version": "590.10.01"},
        loader={"libraries": {"libnvidia-ml.so.1": OLD}},
    )

    assert judge("stale-driver-library-symlink", snapshot).outcome is Outcome.CLEAR


def test_fires_less_surely_when_nvml_was_not_called() -> None:
    snapshot = recording(
        "h200-healthy", nvml={"state": "timeout"}, loader={"libraries": {"libnvidia-ml.so.1": OLD}}
    )

    assert judge("stale-driver-library-symlink", snapshot).findings[0].certainty == "likely"


def test_claims_nothing_when_nvml_was_not_called_and_the_versions_fit() -> None:
    snapshot = recording("h200-healthy", nvml={"state": "timeout"})

    assert judge("stale-driver-library-symlink", snapshot).reason == "nvml: timeout"


def test_claims_nothing_when_the_driver_files_were_not_read() -> None:
    snapshot = recording("h200-healthy", nvml={"init": 18}, driver_files={"state": "denied"})

    assert judge("stale-driver-library-symlink", snapshot).reason == "driver_files: denied"
