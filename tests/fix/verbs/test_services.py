"""Verbs of services: the init script of a machine without systemd, and what systemd enables offline"""

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides: tiny
### END INIT INFO
. /lib/lsb/init-functions
work="/run/tiny.pid --exec /usr/bin/sleep"
case "$1" in
start) [ ! -e /run/broken ] || { echo "tiny: no GPU" >&2; exit 1; }
    start-stop-daemon --start --oknodo --background --make-pidfile --pidfile $work -- 1000
    until "$0" status; do sleep 0.01; done;;
stop) start-stop-daemon --stop --oknodo --remove-pidfile --retry 5 --pidfile $work;;
restart) "$0" stop; "$0" start;;
reload) touch /run/reloaded;;
status) start-stop-daemon --status --pidfile $work;;
esac
"""
PLACE = "/etc/init.d/tiny"


@pytest.fixture
def place(machine: Machine) -> Machine:
    """A machine with one service, which does not run."""
    machine.write(PLACE, SCRIPT, 0o755)
    return machine


def runs(machine: Machine) -> bool:
    """Return whether the service runs."""
    return machine.run([PLACE, "status"]).returncode == 0


def started(machine: Machine, verb: Verb = Verb.SERVICE_START) -> Trial:
    """Return the trial of a start."""
    return Trial(
        machine,
        verb,
        {"service": "tiny"},
        state=lambda: runs(machine),
        reset=lambda: machine.done(PLACE, "stop"),
        programs=[(PLACE, "start")],
    )


def test_a_start_survives(place: Machine) -> None:
    trial = started(place)
    trial.programs = ()  # its path is absolute: nothing can stand before it
    survives(trial)


def test_one_that_somebody_started_is_not_stopped(place: Machine) -> None:
    trial = started(place)
    before = trial.before()
    place.done(PLACE, "start")

    after = trial.ask("apply", before=before)["value"]
    trial.ask("back", before=after)
    assert runs(place)


def test_a_start_that_fails_says_why(place: Machine) -> None:
    place.write("/run/broken", "")
    trial = started(place)

    assert trial.ask("apply", before=trial.before())["failed"] == "tiny: tiny: no GPU"
    assert [PLACE, "start"] in trial.ask("by_hand", before={})["value"]


def test_a_restart_is_another_process(place: Machine) -> None:
    place.done(PLACE, "start")
    first = place.done("cat", "/run/tiny.pid")
    trial = started(place, Verb.SERVICE_RESTART)

    trial.ask("apply", before=trial.before())
    assert trial.ask("verify")["value"] is True
    assert place.done("cat", "/run/tiny.pid") != first
    assert trial.ask("back", before={})["refused"] == "this cannot be taken back"


def test_only_what_runs_is_reloaded(place: Machine) -> None:
    trial = started(place, Verb.SERVICE_RELOAD)
    assert "nothing to reload" in trial.ask("look")["refused"]

    place.done(PLACE, "start")
    trial.ask("apply", before=trial.before())
    place.done("test", "-e", "/run/reloaded")


@pytest.mark.parametrize("name", ["no-such", "../../bin/sh", "-x", "a b", "a;b"])
def test_refused(place: Machine, name: str) -> None:
    assert "refused" in place.ask(Verb.SERVICE_START, "look", {"service": name})


UNIT = """[Service]
ExecStart=/usr/bin/sleep 1000
[Install]
WantedBy=multi-user.target
"""
LINK = "/etc/systemd/system/multi-user.target.wants/tiny.service"
ENABLE = {"service": "tiny", "manager": "systemd"}


def linked(machine: Machine) -> bool:
    """Return whether the next boot starts the service."""
    return machine.run(["test", "-L", LINK]).returncode == 0


def test_an_enabling_survives(machine: Machine) -> None:
    machine.write("/etc/systemd/system/tiny.service", UNIT)
    survives(
        Trial(
            machine,
            Verb.SERVICE_ENABLE,
            ENABLE,
            state=lambda: linked(machine),
            reset=lambda: machine.done("systemctl", "disable", "tiny"),
            programs=[("systemctl", "enable")],
        )
    )


def test_what_is_enabled_already_needs_no_step(machine: Machine) -> None:
    machine.write("/etc/systemd/system/tiny.service", UNIT)
    machine.done("systemctl", "enable", "tiny")

    assert machine.ask(Verb.SERVICE_ENABLE, "look", ENABLE)["value"]["needed"] is False


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("[Service]\nExecStart=/usr/bin/sleep 1\n", "cannot be enabled: systemd says static"),
        (None, "cannot be enabled"),
    ],
)
def test_what_no_boot_starts_is_refused(machine: Machine, unit: str | None, words: str) -> None:
    if unit:
        machine.write("/etc/systemd/system/tiny.service", unit)

    assert words in machine.ask(Verb.SERVICE_ENABLE, "look", ENABLE)["refused"]


def test_without_systemd_nothing_is_enabled(place: Machine) -> None:
    assert "systemd" in place.ask(Verb.SERVICE_ENABLE, "look", {"service": "tiny"})["refused"]
