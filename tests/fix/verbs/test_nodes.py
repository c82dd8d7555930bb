"""nodes-create and cdi-generate on a machine that looks as if the driver were loaded

NVIDIA's programs do nothing without the driver. Two scripts stand in for them: one makes nodes with mknod, as
nvidia-modprobe does, and one prints a specification.
"""

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

DRIVER = """
mount -t tmpfs none /proc/driver
mkdir -p /proc/driver/nvidia/gpus/0000:01:00.0 /proc/driver/nvidia/gpus/0000:02:00.0
echo 'Device Minor: \t 0' > /proc/driver/nvidia/gpus/0000:01:00.0/information
echo 'Device Minor: \t 3' > /proc/driver/nvidia/gpus/0000:02:00.0/information
echo 'DeviceFileMode: 432' > /proc/driver/nvidia/params
sed '/^Character/a 195 nvidia-frontend\\n509 nvidia-uvm' /proc/devices > /run/devices
mount --bind /run/devices /proc/devices
"""
MODPROBE = """#!/bin/sh
for word; do
    case "$word" in
    -u) mknod -m 660 /dev/nvidia-uvm c 509 0; mknod -m 660 /dev/nvidia-uvm-tools c 509 1;;
    -c=255) mknod -m 660 /dev/nvidiactl c 195 255;;
    -c=*) mknod -m 660 "/dev/nvidia${word#-c=}" c 195 "${word#-c=}";;
    esac
done
"""
TOOLKIT = """#!/bin/sh
for word; do
    case "$word" in --output=*) path=${word#--output=}; mkdir -p "${path%/*}"; exec > "$path";; esac
done
cat /run/specification
"""
SPECIFICATION = "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n- name: '0'\n"
PATH = "/etc/cdi/nvidia.yaml"


@pytest.fixture
def place(machine: Machine) -> Machine:
    """The machine with the driver's files and both programs."""
    machine.done("sh", "-ec", DRIVER)
    machine.write("/usr/bin/nvidia-modprobe", MODPROBE, 0o755)
    machine.write("/usr/bin/nvidia-ctk", TOOLKIT, 0o755)
    machine.write("/run/specification", SPECIFICATION)
    return machine


def nodes(machine: Machine) -> Trial:
    """Return the trial of nodes that are all missing."""
    return Trial(
        machine,
        Verb.NODES_CREATE,
        {},
        state=lambda: machine.done("sh", "-c", "stat -c '%n %a %t:%T' /dev/nvidia* 2>/dev/null || true"),
        reset=lambda: machine.done("sh", "-c", "rm -f /dev/nvidia*"),
        programs=[("nvidia-modprobe", "-c=0")],
    )


def specification(machine: Machine, old: str | None) -> Trial:
    """Return the trial of a specification that is old, or missing."""

    def reset() -> None:
        machine.done("rm", "-rf", "/etc/cdi")
        if old is not None:
            machine.done("mkdir", "/etc/cdi")
            machine.write(PATH, old, 0o640)

    reset()
    return Trial(
        machine,
        Verb.CDI_GENERATE,
        {"path": PATH},
        state=lambda: machine.done(
            "sh", "-c", "cd /etc; find cdi -printf '%p %m ' -exec cat {} + 2>&1 || true"
        ),
        reset=reset,
        programs=[("nvidia-ctk", "generate")],
    )


def test_nodes_survive(place: Machine) -> None:
    survives(nodes(place))


def test_nodes_get_the_numbers_and_the_mode_of_the_driver(place: Machine) -> None:
    trial = nodes(place)
    for words in trial.ask("by_hand", before={})["value"]:
        place.done(*words)

    assert trial.state().splitlines() == [
        "/dev/nvidia-uvm 660 1fd:0",
        "/dev/nvidia-uvm-tools 660 1fd:1",
        "/dev/nvidia0 660 c3:0",
        "/dev/nvidia3 660 c3:3",
        "/dev/nvidiactl 660 c3:ff",
    ]
    assert trial.ask("look")["value"]["needed"] is False


def test_a_file_in_the_place_of_a_node_is_left_alone(place: Machine) -> None:
    place.write("/dev/nvidia0", "")

    assert "no device" in nodes(place).ask("look")["refused"]


def test_nodes_that_udev_made_meanwhile(place: Machine) -> None:
    trial = nodes(place)
    before = trial.before()
    for words in trial.ask("by_hand", before={})["value"]:
        place.done(*words)

    assert trial.ask("apply", before=before)["value"] == {}


def test_without_the_driver(machine: Machine) -> None:
    assert "not loaded" in machine.ask(Verb.NODES_CREATE, "look", {})["refused"]


def test_without_the_program(place: Machine) -> None:
    trial = nodes(place)
    before = trial.before()
    place.remove("/usr/bin/nvidia-modprobe")

    assert "refused" not in trial.ask("apply", before=before)
    assert trial.ask("verify")["value"] is True


@pytest.mark.parametrize("old", [None, "devices: []\n"])
def test_a_specification_survives(place: Machine, old: str | None) -> None:
    trial = specification(place, old)
    trial.programs = ()  # it only prints
    survives(trial)


@pytest.mark.parametrize("text", ["", "devices: []", "devices: [", "error: no GPU", "- a"])
def test_no_specification_without_devices(place: Machine, text: str) -> None:
    trial = specification(place, None)
    place.write("/run/specification", text)

    assert "no device" in trial.ask("look")["refused"]


def test_another_specification_than_in_the_preview(place: Machine) -> None:
    trial = specification(place, None)
    before = trial.before()
    place.write("/run/specification", SPECIFICATION + "- name: '1'\n")

    assert "new plan" in trial.ask("apply", before=before)["refused"]


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/cdi/../passwd.yaml", "/etc/cdi/x.json"])
def test_only_where_engines_read(place: Machine, path: str) -> None:
    assert "container engines" in place.ask(Verb.CDI_GENERATE, "look", {"path": path})["refused"]
