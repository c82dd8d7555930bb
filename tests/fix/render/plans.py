"""Plans with harmless and with hostile values."""

from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Plan, PlanItem, PlannedStep
from codeblue.model.remedy import Automation, Risk, Undo, Verb
from codeblue.model.text import message
from codeblue.remedy.shell import ARGUMENTS

HOSTILE = "a'b\"c\n$(touch pwned)`touch pwned`{{ 7*7 }}{% raw %};touch pwned # \\ \x1b[31m %s ü中"
"""Would start something, or become something else, wherever it is not quoted."""

CLEAN: dict[Verb, Args] = {
    Verb.CONTAINER_FLAGS: {"flags": "--gpus all -e 'A=b c'"},
    Verb.POD_PATCH: {"patch": '{"volumes": [{"name": "data"}]}'},
    Verb.SHM_RESIZE: {"size": "16g"},
    Verb.ENV_SET: {"name": "NCCL_DEBUG", "value": "INFO"},
    Verb.ENV_UNSET: {"name": "LD_PRELOAD"},
}


def step(
    verb: Verb,
    args: Args,
    before: Before | None = None,
    why: str = "because",
    shows: Sequence[str] = (),
    root: bool = False,
) -> PlannedStep:
    """Return a step of a plan."""
    return PlannedStep(
        verb=verb,
        args=args,
        why=message("{why}", "{why}", why=why),
        risk=Risk.SAFE,
        root=root,
        undo=Undo.NONE,
        before=before or {},
        shows=tuple(shows),
    )


def plan(*steps: PlannedStep, why: str = "a summary") -> Plan:
    """Return a plan of one item."""
    item = PlanItem(
        fault="some-fault",
        subject=why,
        summary=message("{why}", "{why}", why=why),
        automation=Automation.APPROVAL,
        steps=steps,
    )
    return Plan(
        codeblue="1.0", host="h", boot="b", made="2026-12-01T00:00:00Z", items=(item,), digest="0" * 64
    )


def everything(value: str | None = None) -> Plan:
    """Return a plan with every verb; its arguments are the value, or plain words."""
    steps = []
    for verb in Verb:
        plain = {name: value or f"some-{name}" for name in ARGUMENTS[verb]}
        steps.append(step(verb, (plain if value else plain | CLEAN.get(verb, {})), why=value or "because"))
    return plan(*steps, why=value or "a summary")
