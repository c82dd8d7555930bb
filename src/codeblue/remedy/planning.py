"""Remedies to a plan: each step is compared with the machine; what is as wanted already is no step."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timezone

import msgspec
from msgspec import structs

from codeblue.model.plan import Plan, PlanItem, PlannedStep, Refused
from codeblue.model.remedy import Automation, Remedy, Risk, Step, Verb
from codeblue.model.text import Message, Text
from codeblue.remedy import here
from codeblue.remedy.actions import Action

Wanted = tuple[str, str, Remedy]
"""A fault, its subject and the remedy."""


SERVICES = frozenset((Verb.SERVICE_START, Verb.SERVICE_RESTART, Verb.SERVICE_RELOAD, Verb.SERVICE_ENABLE))
"""What containers without systemd and init scripts cannot do; files can be mended there all the same."""
GROUND = ("python", "path", "file")
"""Arguments that name what a step works on: behind another step on the same it finds something else."""
OF_START_FILES = frozenset((Verb.ENV_SET, Verb.ENV_UNSET))
"""Verbs that look for their file themselves, all of them among the same ones."""


def plan(
    wanted: Iterable[Wanted],
    actions: Mapping[Verb, Action],
    reveal: Callable[[str], str],
    version: str,
    expires: str | None = None,
) -> tuple[Plan, tuple[tuple[str, Message], ...]]:
    """Return the plan, and the faults whose remedy could not be planned, with the reason.

    ``reveal`` turns pseudonyms of this machine back into names; ``version`` is codeblue's.
    """
    items, refused = [], []
    for fault, subject, remedy in wanted:
        try:
            item, left = _item(fault, subject, remedy, actions, reveal)
        except Refused as why:
            refused.append((fault, why.line))
            continue
        refused += [(fault, line) for line in left]
        if item.steps:
            items.append(item)
    made = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    whole = Plan(
        codeblue=version, host=here.host(), boot=here.boot(), made=made, expires=expires, items=tuple(items)
    )
    return structs.replace(whole, digest=digest(whole)), tuple(refused)


def digest(whole: Plan) -> str:
    """Return the SHA-256 over everything in a plan but this number."""
    return hashlib.sha256(msgspec.json.encode(structs.replace(whole, digest=""), order="sorted")).hexdigest()


def _item(
    fault: str,
    subject: str,
    remedy: Remedy,
    actions: Mapping[Verb, Action],
    reveal: Callable[[str], str],
) -> tuple[PlanItem, list[Message]]:
    """Return the item, and what is left to people: services that nothing manages here."""
    steps: list[PlannedStep] = []
    left: list[Message] = []
    for step in remedy.steps:
        try:
            planned = _planned(step, actions[step.verb], reveal, steps)
        except Refused as why:
            if step.verb not in SERVICES or not steps:
                raise
            left.append(_by_hand(step, why.line))
            continue
        if planned is not None:
            steps.append(planned)
    item = PlanItem(
        fault=fault,
        subject=subject,
        summary=remedy.summary,
        automation=remedy.automation,
        steps=tuple(steps),
    )
    return item, left


def _by_hand(step: Step, why: Message) -> Message:
    verb, service = step.verb.value, step.args.get("service", "")
    text = Text(f"{{step}}: {why.text.en}; do this by hand", f"{{step}}：{why.text.zh}；请手动完成")
    return Message(text, {**why.values, "step": f"{verb} {service}"})


def _planned(
    step: Step, action: Action, reveal: Callable[[str], str], earlier: Iterable[PlannedStep]
) -> PlannedStep | None:
    args = {name: _whole(name, reveal(value)) for name, value in step.args.items()}
    look = action.look(args)
    # After an uninstallation in the same environment a package that is there now has to be installed.
    if not look.needed and not any(
        "python" in args and args["python"] == one.args.get("python") for one in earlier
    ):
        return None
    return PlannedStep(
        verb=step.verb,
        args=args,
        why=step.why,
        risk=action.risk,
        root=action.root(args),
        undo=action.undo,
        shows=look.shows,
        tells=look.tells,
        before=look.before,
    )


def ground(step: PlannedStep) -> set[str]:
    """Return what a step works on."""
    named = {step.args[name] for name in GROUND if name in step.args}
    return named | ({"start files"} if step.verb in OF_START_FILES else set())


def _whole(name: str, value: str) -> str:
    """Return a path that a fact gives relative to the working directory or to a home, from the root."""
    if name != "path" or not value.startswith(("./", "~")):
        return value
    return os.path.abspath(os.path.expanduser(value))


def automatic(item: PlanItem) -> bool:
    """Return whether the user's word alone, also given beforehand, is enough."""
    return item.automation is Automation.AUTOMATIC and item.risk is Risk.SAFE
