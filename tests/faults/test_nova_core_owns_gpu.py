"""nova-core-owns-gpu"""

from pathlib import Path

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge, recording, text
from tests.faults.next_boot import NEXT, machine
from tests.faults.remedies import asked, look, only

HELD = {"functions": {"0000:00:06.0": {"driver": "NovaCore"}}}


def test_fires_when_it_is_bound_to_the_only_gpu() -> None:
    [finding] = judge("nova-core-owns-gpu", recording("h200-healthy", pci=HELD)).findings

    assert [(e.path, e.value) for e in finding.evidence] == [
        ("pci.functions[0000:00:06.0].driver", "NovaCore")
    ]


def test_fires_on_the_words_of_the_nvidia_module() -> None:
    line = "[  12.5] NVRM: GPU 0000:3b:00.0 is already bound to NovaCore."

    assert judge("nova-core-owns-gpu", text(line)).outcome is Outcome.FIRED


def test_clear_when_the_nvidia_driver_has_a_gpu_of_its_own() -> None:
    two = {
        "functions": {"0000:00:07.0": {"vendor": "10de", "driver": "NovaCore"}},
        "nvidia_gpus": ["0000:00:06.0", "0000:00:07.0"],
    }

    assert judge("nova-core-owns-gpu", recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge("nova-core-owns-gpu", recording("h200-healthy", pci=two)).outcome is Outcome.CLEAR
    assert judge(
        "nova-core-owns-gpu", text("NVRM: GPU 0000:3b:00.0 is already bound to vfio-pci.")
    ).outcome is not (Outcome.FIRED)


def test_claims_nothing_when_the_bus_could_not_be_read() -> None:
    verdict = judge("nova-core-owns-gpu", recording("h200-healthy", pci={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "pci: denied")


SAID = (
    (
        "$ lsmod | grep -i nov",
        "nova_core              65536  0",
        "$ nvidia-smi",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        "kernel: 6.17",
    ),
    (
        "01:00.0 VGA compatible controller: NVIDIA Corporation AD104",
        "\tKernel driver in use: NovaCore",
        "os: Fedora 43",
    ),
    (
        ("# note: nouveau is blacklisted but nova_core takes the card first, nvidia module cannot bind"),
        "kernel: 6.18",
        "os: Arch",
    ),
)
NEAR = (
    "nova-compute: libvirt refused the PCI device",
    "# note: OpenStack compute service, nova driver loaded",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("nova-core-owns-gpu", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("nova-core-owns-gpu", text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_writes_rebuilds_and_leaves_the_reboot_to_a_person(tmp_path: Path) -> None:
    finding = only("nova-core-owns-gpu", machine(pci=HELD))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)
    assert asked(finding) == [
        (
            Verb.FILE_WRITE,
            {
                "path": "/etc/modprobe.d/blacklist-nova.conf",
                "content": "blacklist nova_core\nblacklist nova_drm\n",
            },
        ),
        (Verb.INITRAMFS_REBUILD, {"kernel": NEXT}),
        (Verb.REBOOT, {}),
    ]
    assert "+blacklist nova_drm" in look(finding.remedy.steps[0], tmp_path).shows
