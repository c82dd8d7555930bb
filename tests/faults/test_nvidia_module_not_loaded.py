"""nvidia-module-not-loaded"""

from typing import Any

from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording

ON_DISK = {
    "state": "read",
    "loaded": {},
    "on_disk": ["/lib/modules/6.18.44/updates/dkms/nvidia.ko"],
    "other_kernels": [],
    "blacklisted": {},
    "built_in": False,
}
CONTAINER = {"state": "read", "engine": "docker", "injected": []}


def judged(**changes: Any) -> Verdict:
    broken = {"driver": {"state": "absent"}, "modules": ON_DISK} | changes
    return judge("nvidia-module-not-loaded", recording("h200-healthy", **broken))


def test_fires_when_the_module_is_on_disk_and_not_loaded() -> None:
    [finding] = judged().findings

    assert finding.variant is None
    assert finding.summary.values == {"path": "/lib/modules/6.18.44/updates/dkms/nvidia.ko"}
    assert finding.remedy is not None and finding.remedy.steps[0].args == {"module": "nvidia"}


def test_fires_with_the_file_that_blacklists_it() -> None:
    [finding] = judged(modules=ON_DISK | {"blacklisted": {"nvidia": "/etc/modprobe.d/off.conf"}}).findings

    assert finding.variant == "blacklisted"
    assert ("modules.blacklisted[nvidia]", "/etc/modprobe.d/off.conf") in [
        (e.path, e.value) for e in finding.evidence
    ]


def test_fires_in_a_container_for_the_host_without_a_look_at_files() -> None:
    [finding] = judged(container=CONTAINER, modules=ON_DISK | {"on_disk": []}).findings

    assert finding.variant == "on-the-host"


def test_clear_when_the_driver_is_there() -> None:
    assert judge("nvidia-module-not-loaded", recording("h200-healthy")).outcome is Outcome.CLEAR
    hidden = ON_DISK | {"loaded": {"nvidia": {"size": 1, "references": 0, "used_by": []}}}
    assert judged(modules=hidden).outcome is Outcome.CLEAR
    assert judged(modules=ON_DISK | {"built_in": True}).outcome is Outcome.CLEAR


def test_clear_when_another_fault_says_more() -> None:
    for driver in ("nouveau", "NovaCore", "vfio-pci"):
        assert judged(pci={"functions": {"0000:00:06.0": {"driver": driver}}}).outcome is Outcome.CLEAR
    assert judged(modules=ON_DISK | {"on_disk": []}).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_bus_could_not_be_read() -> None:
    verdict = judged(pci={"state": "error"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "pci: error")
