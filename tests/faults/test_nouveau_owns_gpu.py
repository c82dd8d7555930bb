"""nouveau-owns-gpu"""

from pathlib import Path

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge, recording, text
from tests.faults.next_boot import NEXT, machine
from tests.faults.remedies import asked, look, only, verbs

HELD = {"functions": {"0000:00:06.0": {"driver": "nouveau"}}}


def test_fires_when_it_is_bound_to_the_only_gpu() -> None:
    [finding] = judge("nouveau-owns-gpu", recording("h200-healthy", pci=HELD)).findings

    assert [(e.path, e.value) for e in finding.evidence] == [
        ("pci.functions[0000:00:06.0].driver", "nouveau")
    ]


def test_fires_on_the_words_of_the_nvidia_module() -> None:
    line = "[  12.5] NVRM: GPU 0000:3b:00.0 is already bound to nouveau."

    assert judge("nouveau-owns-gpu", text(line)).outcome is Outcome.FIRED


def test_clear_when_the_nvidia_driver_has_a_gpu_of_its_own() -> None:
    two = {
        "functions": {"0000:00:07.0": {"vendor": "10de", "driver": "nouveau"}},
        "nvidia_gpus": ["0000:00:06.0", "0000:00:07.0"],
    }

    assert judge("nouveau-owns-gpu", recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge("nouveau-owns-gpu", recording("h200-healthy", pci=two)).outcome is Outcome.CLEAR
    assert judge(
        "nouveau-owns-gpu", text("NVRM: GPU 0000:3b:00.0 is already bound to vfio-pci.")
    ).outcome is not (Outcome.FIRED)


def test_claims_nothing_when_the_bus_could_not_be_read() -> None:
    verdict = judge("nouveau-owns-gpu", recording("h200-healthy", pci={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "pci: denied")


SAID = (
    (
        "$ lsmod | grep -E 'nouveau|nvidia'",
        "nouveau              1949696  1",
        "$ nvidia-smi",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        "os: Ubuntu 20.04",
    ),
    (
        "# note: gpu-operator driver pod crashes; the host has nouveau active",
        "k8s: RKE2",
    ),
    (
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        "# note: lsmod shows nouveau, not nvidia",
        "os: Ubuntu 18.04",
    ),
)
NEAR = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    "# note: nouveau is already blacklisted and not loaded",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("nouveau-owns-gpu", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("nouveau-owns-gpu", text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_writes_rebuilds_and_leaves_the_reboot_to_a_person(tmp_path: Path) -> None:
    finding = only("nouveau-owns-gpu", machine({"nouveau_disabled": {}}, pci=HELD))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert asked(finding) == [
        (
            Verb.FILE_WRITE,
            {
                "path": "/etc/modprobe.d/blacklist-nouveau.conf",
                "content": "blacklist nouveau\noptions nouveau modeset=0\n",
            },
        ),
        (Verb.INITRAMFS_REBUILD, {"kernel": NEXT}),
        (Verb.REBOOT, {}),
    ]
    assert "+blacklist nouveau" in look(finding.remedy.steps[0], tmp_path).shows


@pytest.mark.parametrize("next_boot", [{"initramfs": None}, {"kernel": None}, {"initramfs": ...}])
def test_the_remedy_is_an_instruction_where_no_image_is_known(next_boot: dict[str, object]) -> None:
    assert verbs(only("nouveau-owns-gpu", machine(next_boot, pci=HELD)))[0] is Verb.INSTRUCT
