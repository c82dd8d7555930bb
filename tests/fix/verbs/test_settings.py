"""sysctl-set and shm-resize"""

import json

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

SETTING = "/proc/sys/net/core/somaxconn"
"""Every network namespace has its own."""
SHARED = "/dev/shm"


def sysctl(machine: Machine, value: str = "1000") -> Trial:
    """Return the trial of a setting that is 4096."""
    return Trial(
        machine,
        Verb.SYSCTL_SET,
        {"name": "net.core.somaxconn", "value": value},
        state=lambda: machine.done("cat", SETTING),
        reset=lambda: machine.write(SETTING, "4096"),
    )


def size(machine: Machine, path: str = SHARED) -> int:
    """Return the size of a file system in bytes."""
    return int(machine.done("df", "-B1", "--output=size", path).split()[1])


def shm(machine: Machine, wanted: str = "2m") -> Trial:
    """Return the trial of a /dev/shm with 1 MiB."""
    return Trial(
        machine,
        Verb.SHM_RESIZE,
        {"size": wanted},
        state=lambda: size(machine),
        reset=lambda: machine.done("mount", "-o", "remount,size=1m", SHARED),
        programs=[("mount", "-o")],
    )


def test_a_setting_survives(machine: Machine) -> None:
    trial = sysctl(machine)
    trial.reset()
    survives(trial)


def test_a_size_survives(machine: Machine) -> None:
    survives(shm(machine))


def test_a_setting_that_somebody_changed_is_not_taken_back(machine: Machine) -> None:
    trial = sysctl(machine)
    before = trial.before()
    trial.ask("apply", before=before)
    machine.write(SETTING, "5")

    assert "changed since" in trial.ask("back", before=before)["refused"]
    assert trial.state() == "5\n"


def test_a_setting_that_changed_after_the_preview_is_not_written(machine: Machine) -> None:
    trial = sysctl(machine)
    before = trial.before()
    machine.write(SETTING, "5")

    assert "new plan" in trial.ask("apply", before=before)["refused"]
    assert trial.state() == "5\n"


@pytest.mark.parametrize("value", ["many", "99999999999"])
def test_a_value_that_the_kernel_refuses_changes_nothing(machine: Machine, value: str) -> None:
    trial = sysctl(machine, value)
    old = trial.state()

    assert (
        trial.ask("apply", before=trial.before())["refused"] == "sysctl net.core.somaxconn: Invalid argument"
    )
    assert trial.state() == old


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "net..core", "/etc/passwd", "net/../x", "no.such", "-w"]
)
def test_only_names_of_settings(machine: Machine, name: str) -> None:
    answer = machine.ask(Verb.SYSCTL_SET, "look", {"name": name, "value": "1"})

    assert "refused" in answer


def test_slashes_and_dots_name_the_same(machine: Machine) -> None:
    look = machine.ask(Verb.SYSCTL_SET, "look", {"name": "net/ipv4/conf/lo.1/forwarding", "value": "1"})
    assert "No such file" in look["refused"]

    look = machine.ask(Verb.SYSCTL_SET, "look", {"name": "net/core/somaxconn", "value": "1"})
    assert look["value"]["needed"]


def test_what_is_in_use_keeps_its_room(machine: Machine) -> None:
    trial = shm(machine)
    before = trial.before()
    trial.ask("apply", before=before)
    machine.done("dd", "if=/dev/zero", f"of={SHARED}/x", "bs=1M", "count=1", "conv=notrunc")
    machine.done("dd", "if=/dev/zero", f"of={SHARED}/y", "bs=512K", "count=1")

    assert "keeps its size" in trial.ask("back", before=before)["failed"]
    assert size(machine) == 2 << 20


def test_a_large_enough_one_is_left_alone(machine: Machine) -> None:
    assert shm(machine, "512k").ask("look")["value"]["needed"] is False


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"size": "999999g"}, "more than memory"),
        ({"size": "lots"}, "no size"),
        ({"size": "2m", "path": "/etc"}, "no mounted tmpfs"),
        ({"size": "2m", "path": "/nowhere"}, "no mounted tmpfs"),
    ],
)
def test_impossible_sizes(machine: Machine, args: dict[str, str], words: str) -> None:
    answer = machine.ask(Verb.SHM_RESIZE, "look", args)

    assert words in answer["refused"], json.dumps(answer)
