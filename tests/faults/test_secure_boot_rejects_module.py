"""secure-boot-rejects-module"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

ON_DISK = {
    "state": "read",
    "loaded": {},
    "on_disk": ["/lib/modules/6.18.44/updates/dkms/nvidia.ko"],
    "other_kernels": [],
    "blacklisted": {},
    "built_in": False,
}


def log(line: str) -> dict[str, Any]:
    return {"lines": [{"kind": "module", "seconds": 9.0, "text": line}]}


UNKNOWN_KEY = log("Loading of module with unavailable key is rejected")


def judged(**changes: Any) -> Verdict:
    broken = {"driver": {"state": "absent"}, "modules": ON_DISK, "kernel_log": UNKNOWN_KEY} | changes
    return judge("secure-boot-rejects-module", recording("h200-healthy", **broken))


def test_fires_when_a_module_was_rejected_and_the_driver_is_not_there() -> None:
    [finding] = judged().findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.evidence[0].path == "kernel_log.lines[0].text"


def test_fires_surely_when_the_line_names_the_module() -> None:
    [finding] = judged(kernel_log=log("nvidia: Loading of unsigned module is rejected")).findings

    assert finding.certainty is Certainty.CERTAIN


@pytest.mark.parametrize(
    "line",
    [
        "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
        "insmod: ERROR: could not insert module /tmp/nvidia.ko: Key was rejected by service",
        "modprobe: ERROR: could not insert 'nvidia_drm': Required key not available",
    ],
)
def test_fires_on_the_words_of_modprobe(line: str) -> None:
    assert judge("secure-boot-rejects-module", text(line)).outcome is Outcome.FIRED


def test_clear_when_the_module_was_only_tainting() -> None:
    tainted = log(
        "nvidia: module verification failed: signature and/or required key missing - tainting kernel"
    )

    assert judged(kernel_log=tainted).outcome is Outcome.CLEAR


def test_clear_when_the_driver_is_loaded_or_no_module_is_there_to_reject() -> None:
    assert judged(driver={}).outcome is Outcome.CLEAR
    assert judged(modules=ON_DISK | {"on_disk": []}).outcome is Outcome.CLEAR


def test_clear_when_another_module_was_rejected() -> None:
    line = "modprobe: ERROR: could not insert 'vboxdrv': Key was rejected by service"

    assert judge("secure-boot-rejects-module", text(line)).outcome is not Outcome.FIRED


SECURE = {"kernel_log": {"state": "denied"}, "host": {"secure_boot": True}}
FREE = {"functions": {"0000:00:06.0": {"driver": None}}}


def test_fires_as_a_possibility_when_the_log_is_denied_and_secure_boot_is_on() -> None:
    [finding] = judged(**SECURE, pci=FREE).findings

    assert (finding.variant, finding.certainty) == ("log-unread", Certainty.POSSIBLE)
    assert [e.path for e in finding.evidence] == ["host.secure_boot", "modules.on_disk", "modules.loaded"]


def test_claims_nothing_when_something_else_keeps_the_module_away() -> None:
    nouveau = {"functions": {"0000:00:06.0": {"driver": "nouveau"}}}
    blacklisted = ON_DISK | {"blacklisted": {"nvidia": "/etc/modprobe.d/x.conf"}}

    assert judged(**SECURE, pci=nouveau).outcome is Outcome.SKIPPED
    assert judged(**SECURE, pci=FREE, modules=blacklisted).outcome is Outcome.SKIPPED


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judged(kernel_log={"state": "denied"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")


SAID = (
    (
        "$ mokutil --sb-state",
        "SecureBoot enabled",
        "$ sudo modprobe nvidia",
        "modprobe: ERROR: could not insert 'nvidia': Operation not permitted",
        "os: Fedora 39",
    ),
    (
        ("# note: module is there (dkms installed), nvidia-smi has failed, the MOK key was never enrolled"),
        "os: Debian 12",
    ),
    ("# note: dkms 编译成功，modprobe nvidia 提示 Key was rejected，需要重新注册 MOK",),
)
NEAR = (
    "$ mokutil --sb-state",
    "SecureBoot disabled",
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("secure-boot-rejects-module", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("secure-boot-rejects-module", text(*NEAR)).outcome is not Outcome.FIRED


UNTRUSTED = "[    9.1] PKCS#7 signature not signed with a trusted key"


@pytest.mark.parametrize(
    "loaded",
    [
        "[    9.2] nvidia: module verification failed: signature missing - tainting kernel",
        "[    9.3] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05",
        "nvidia              104087552  219 nvidia_uvm,nvidia_modeset",
        "| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |",
    ],
)
def test_an_untrusted_signature_is_no_trouble_where_the_module_was_loaded(loaded: str) -> None:
    assert judge("secure-boot-rejects-module", text(UNTRUSTED, loaded)).outcome is not Outcome.FIRED
    failed = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert judge("secure-boot-rejects-module", text(UNTRUSTED, failed)).outcome is Outcome.FIRED
    assert judge("secure-boot-rejects-module", text(UNTRUSTED, failed, loaded)).outcome is not Outcome.FIRED
