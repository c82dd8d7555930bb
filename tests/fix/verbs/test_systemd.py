"""Verbs of services with systemd itself at work: the first process of a private copy of this machine."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.booted import Booted, unbootable
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(unbootable()), reason=unbootable() or "")]

NAME = "nvidia-persistenced"
PLACE = f"/etc/systemd/system/{NAME}.service"
UNIT = """[Unit]
Description=stands in for the daemon of a GPU
StartLimitIntervalSec=0
[Service]
ExecStartPre=/bin/sh -c "[ ! -e /run/no-gpu ]"
ExecStart=/usr/bin/sleep 1000
ExecReload=/usr/bin/touch /run/reloaded
Restart=on-failure
RestartSec=20ms
[Install]
WantedBy=multi-user.target
"""
SERVICE = {"service": NAME}


@pytest.fixture
def booted(tmp_path: Path) -> Iterator[Booted]:
    """A machine that systemd runs, with one service that does not run."""
    machine = Booted(tmp_path)
    machine.write(PLACE, UNIT)
    machine.done("systemctl", "daemon-reload")
    yield machine
    machine.end()


def trial(
    booted: Booted, verb: Verb, what: str = "is-active", word: str = "start", reset: str = "stop"
) -> Trial:
    """Return the trial of a verb; ``what`` tells the state that it changes."""
    return Trial(
        booted,
        verb,
        SERVICE,
        state=lambda: booted.run(["systemctl", what, NAME]).stdout,
        reset=lambda: booted.done("systemctl", reset, NAME),
        programs=[("systemctl", word)],
        looks=["show", "is-enabled"],
    )


def pid(booted: Booted) -> str:
    """Return the main process of the service, 0 if it does not run."""
    return booted.done("systemctl", "show", "--property=MainPID", "--value", NAME).strip()


def given_up(booted: Booted) -> None:
    """Start the service, in vain, until systemd starts it no more."""
    booted.run(["sh", "-c", f"until systemctl is-failed -q {NAME}; do systemctl start {NAME}; done"])


def test_a_start_survives(booted: Booted) -> None:
    survives(trial(booted, Verb.SERVICE_START))


def test_an_enabling_survives(booted: Booted) -> None:
    survives(trial(booted, Verb.SERVICE_ENABLE, "is-enabled", "enable", "disable"))


def test_a_service_that_flaps_is_started_once_its_cause_is_gone(booted: Booted) -> None:
    booted.write(PLACE, UNIT.replace("IntervalSec=0", "IntervalSec=1h\nStartLimitBurst=2"))
    booted.done("systemctl", "daemon-reload")
    booted.write("/run/no-gpu", "")
    given_up(booted)
    start = trial(booted, Verb.SERVICE_START)

    looked, failed = start.calls("look", "apply")
    assert looked["value"]["shows"] == [f"{NAME}: failed -> start"]
    assert NAME in failed["failed"]

    given_up(booted)
    booted.remove("/run/no-gpu")
    assert booted.run(["systemctl", "start", NAME]).returncode, "systemd itself refuses"
    _, applied, verified = start.calls("look", "apply", "verify")
    assert verified["value"] is True and pid(booted) != "0"

    assert "value" in start.ask("back", before=applied["value"])
    assert pid(booted) == "0"


def test_a_restart_is_another_process(booted: Booted) -> None:
    booted.done("systemctl", "start", NAME)
    first = pid(booted)

    _, applied, verified = trial(booted, Verb.SERVICE_RESTART).calls("look", "apply", "verify")

    assert "value" in applied and verified["value"] is True
    assert pid(booted) not in (first, "0")


def test_a_reload_is_heard_by_the_same_process(booted: Booted) -> None:
    reload = trial(booted, Verb.SERVICE_RELOAD)
    assert "nothing to reload" in reload.ask("look")["refused"]
    booted.done("systemctl", "start", NAME)
    first = pid(booted)

    _, applied, verified = reload.calls("look", "apply", "verify")

    assert "value" in applied and verified["value"] is True
    assert pid(booted) == first
    booted.done("test", "-e", "/run/reloaded")


def test_what_systemd_does_not_know_or_may_not_start_is_refused(booted: Booted) -> None:
    none = booted.ask(Verb.SERVICE_START, "look", {"service": "no-such"})
    assert "is not known to systemd" in none["refused"]
    booted.done("ln", "-s", "/dev/null", "/etc/systemd/system/forbidden.service")
    masked = booted.ask(Verb.SERVICE_START, "look", {"service": "forbidden"})
    assert "is masked" in masked["refused"]
    booted.write(PLACE, UNIT.replace("ExecReload=/usr/bin/touch /run/reloaded\n", ""))
    booted.done("systemctl", "daemon-reload")
    booted.done("systemctl", "start", NAME)
    assert "it must be restarted" in trial(booted, Verb.SERVICE_RELOAD).ask("look")["refused"]


def test_a_drop_in_counts_at_the_next_start_and_no_more_after_undo(booted: Booted) -> None:
    path, show = f"{PLACE}.d/codeblue.conf", ("systemctl", "show", "--property=Nice,NeedDaemonReload", NAME)
    old = booted.done(*show)
    args = {"path": path, "content": "[Service]\nNice=5\n"}

    looked, applied, verified = booted.calls(Verb.FILE_WRITE, ["look", "apply", "verify"], args)
    assert "systemd-analyze verify" in str(looked["value"]["shows"])
    assert "# systemctl daemon-reload" in looked["value"]["shows"]
    assert verified["value"] is True
    assert booted.done(*show) == "Nice=5\nNeedDaemonReload=no\n" != old
    booted.calls(Verb.SERVICE_START, ["look", "apply"], SERVICE)
    assert booted.done("ps", "-o", "ni=", "-p", pid(booted)).strip() == "5"

    assert "value" in booted.ask(Verb.FILE_WRITE, "back", args, before=applied["value"])
    assert booted.done(*show) == old
    assert booted.run(["test", "-e", f"{PLACE}.d"]).returncode
    broken = {"path": path, "content": "[Service]\nNice=fast\n"}
    assert "would not accept" in booted.calls(Verb.FILE_WRITE, ["look", "apply"], broken)[1]["refused"]


def test_a_plan_enables_and_starts_it_and_undo_does_neither(booted: Booted) -> None:
    argv = [sys.executable, "-m", "tests.fix.verbs.planned"]
    wishes = json.dumps([(verb, SERVICE) for verb in (Verb.SERVICE_ENABLE, Verb.SERVICE_START)])

    applied = booted.run([*argv, "apply", "/var/lib/test"], wishes)
    assert applied.returncode == 0, applied.stderr
    assert booted.done("systemctl", "is-enabled", NAME) == "enabled\n"
    assert booted.state(NAME) == "active"

    said = booted.done(*argv, "undo", "/var/lib/test")
    assert said == "service-start: taken back\nservice-enable: taken back\n"
    assert booted.run(["systemctl", "is-enabled", NAME]).stdout == "disabled\n"
    assert booted.state(NAME) == "inactive"
