"""group-join, with the accounts of a private copy of this machine"""

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

ARGS = {"group": "gpus", "user": "nobody"}


@pytest.fixture
def trial(machine: Machine) -> Trial:
    """A new group, and a user who is not in it."""
    machine.done("groupadd", "gpus")
    return Trial(
        machine,
        Verb.GROUP_JOIN,
        ARGS,
        state=lambda: (machine.done("getent", "group", "gpus"), machine.done("cat", "/etc/gshadow")),
        reset=lambda: machine.run(["gpasswd", "-d", "nobody", "gpus"]),
        programs=[("usermod", "-aG")],
    )


def test_it_survives(trial: Trial) -> None:
    survives(trial)


def test_who_was_in_it_before_stays_in_it(trial: Trial) -> None:
    trial.place.done("usermod", "-aG", "gpus", "daemon")
    before = trial.before()
    trial.ask("apply", before=before)

    trial.ask("back", before=before)
    assert trial.place.done("getent", "group", "gpus").endswith(":daemon\n")


def test_other_members_since_the_preview(trial: Trial) -> None:
    before = trial.before()
    trial.place.done("usermod", "-aG", "gpus", "daemon")

    assert "new plan" in trial.ask("apply", before=before)["refused"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"group": "sudo"}, "rights of root"),
        ({"group": "no-such"}, "no group"),
        ({"user": "no-such"}, "no user"),
        ({"user": "--root=/tmp"}, "no usable user"),
    ],
)
def test_refused(machine: Machine, change: dict[str, str], words: str) -> None:
    machine.done("groupadd", "gpus")

    assert words in machine.ask(Verb.GROUP_JOIN, "look", ARGS | change)["refused"]
