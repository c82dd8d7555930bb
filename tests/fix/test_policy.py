"""What a site allows: windows, forbidden verbs and paths, attempts, approvals."""

from datetime import date, datetime, timezone

import pytest

from codeblue.model.approval import Approval
from codeblue.model.journal import Event, Record
from codeblue.model.plan import PlanItem, PlannedStep, Refused
from codeblue.model.remedy import Automation, Risk, Undo, Verb
from codeblue.model.site import Approver, Fix, Window
from codeblue.model.text import message
from codeblue.remedy import policy
from codeblue.remedy.journal import Run

TODAY = date(2026, 12, 1)
TEXT = message("why", "原因")


def item(risk: Risk = Risk.DISRUPTIVE, verb: Verb = Verb.SERVICE_RESTART, **args: str) -> PlanItem:
    """Return an item of one step."""
    step = PlannedStep(verb=verb, args=args, why=TEXT, risk=risk, root=False, undo=Undo.NONE)
    return PlanItem(
        fault="some-fault", subject="host", summary=TEXT, automation=Automation.APPROVAL, steps=(step,)
    )


def at(day: int, clock: str) -> datetime:
    """Return a time; day 1 of December 2026 is a Tuesday."""
    return datetime.strptime(f"2026-12-{day:02} {clock}", "%Y-%m-%d %H:%M").replace(tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("day", "clock", "open_"),
    [
        (1, "22:00", True),
        (1, "23:59", True),
        (1, "21:59", False),
        (2, "00:00", True),  # the window of Tuesday passes midnight
        (2, "03:59", True),
        (2, "04:00", False),
        (2, "23:00", False),
        (1, "03:00", False),  # Monday has none
    ],
)
def test_a_window_passes_midnight(day: int, clock: str, open_: bool) -> None:
    windows = [Window(days=["tue"], begin="22:00", end="04:00")]

    assert (policy.outside(item(), windows, at(day, clock)) is None) == open_


def test_safe_steps_wait_for_no_window() -> None:
    windows = [Window(days=["sun"], begin="02:00", end="03:00")]

    assert policy.outside(item(Risk.SAFE), windows, at(1, "12:00")) is None
    assert policy.outside(item(Risk.REBOOT), windows, at(1, "12:00")) is not None
    assert policy.outside(item(Risk.REBOOT), [], at(1, "12:00")) is None


def test_verbs_and_paths_may_be_forbidden() -> None:
    rules = Fix(forbid=["service-restart"], never_touch=["/etc/ssh/*"])
    [restart] = item().steps
    [ssh] = item(verb=Verb.FILE_MODE, path="/etc/ssh/sshd_config", mode="0600").steps
    [docker] = item(verb=Verb.FILE_MODE, path="/etc/docker/daemon.json", mode="0644").steps

    assert policy.forbidden(restart, rules) is not None
    assert policy.forbidden(ssh, rules) is not None
    assert policy.forbidden(docker, rules) is None


def runs(*times: str, host: str = "h", event: Event = Event.NOT_FIXED) -> list[Run]:
    """Return runs of the fault that ended so."""
    return [
        Run(
            str(number),
            [
                Record(
                    time=time,
                    run=str(number),
                    event=Event.BEGIN,
                    host=host,
                    fault="some-fault",
                    subject="host",
                ),
                Record(time=time, run=str(number), event=event),
            ],
        )
        for number, time in enumerate(times)
    ]


def test_attempts_in_vain_are_counted_and_capped() -> None:
    rules, now = Fix(attempts=2), at(1, "12:00")
    lately = ("2026-11-30T08:00:00Z", "2026-11-30T09:00:00Z")

    assert policy.exhausted(item(), runs(*lately), "h", rules, now) is not None
    assert policy.exhausted(item(), runs(*lately[:1]), "h", rules, now) is None
    assert policy.exhausted(item(), runs(*lately, host="other"), "h", rules, now) is None
    assert policy.exhausted(item(), runs(*lately, event=Event.FIXED), "h", rules, now) is None
    assert policy.exhausted(item(), runs("2026-11-01T08:00:00Z", lately[0]), "h", rules, now) is None


OPS = Approver(name="ops", risks=["disruptive"], until=date(2027, 1, 1))
GONE = Approver(name="gone", risks=["disruptive"], until=date(2026, 6, 30))
SIGNED = Approval(plan="d" * 64, owner="ops", until=date(2026, 12, 24))


def approved(one: Approval | None, *approvers: Approver, risk: Risk = Risk.DISRUPTIVE) -> str:
    """Return who approved an item."""
    return policy.approved(item(risk), "d" * 64, [one] if one else [], approvers, TODAY)


def test_an_approval_of_an_approver_counts() -> None:
    assert approved(SIGNED, OPS, GONE) == "ops"
    assert approved(SIGNED) == "ops"


@pytest.mark.parametrize(
    ("one", "approvers", "says"),
    [
        (None, (OPS,), "need an approval file"),
        (Approval(plan="e" * 64, owner="ops", until=date(2026, 12, 24)), (OPS,), "is for plan"),
        (Approval(plan="d" * 64, owner="ops", until=date(2026, 11, 30)), (OPS,), "ended on 2026-11-30"),
        (Approval(plan="d" * 64, owner="gone", until=date(2026, 12, 24)), (OPS, GONE), "vacant since"),
        (Approval(plan="d" * 64, owner="who", until=date(2026, 12, 24)), (OPS,), "is no approver"),
        (Approval(plan="d" * 64, owner=" ", until=date(2026, 12, 24)), (), "names no owner"),
        (
            Approval(plan="d" * 64, owner="ops", until=date(2026, 12, 24), risks=["safe"]),
            (OPS,),
            "does not cover disruptive",
        ),
    ],
)
def test_other_approvals_do_not_count_and_say_why(
    one: Approval | None, approvers: tuple[Approver, ...], says: str
) -> None:
    with pytest.raises(Refused) as refused:
        approved(one, *approvers)

    assert says in refused.value.line.say("en")
    assert refused.value.line.say("zh") != refused.value.line.say("en")


def test_an_approver_approves_only_what_is_his() -> None:
    with pytest.raises(Refused):
        approved(SIGNED, OPS, risk=Risk.REBOOT)
