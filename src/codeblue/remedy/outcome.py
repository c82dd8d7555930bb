"""How far a step got that was interrupted, or whose program did not end well."""

import shlex
from contextlib import suppress

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Refused
from codeblue.model.remedy import Undo
from codeblue.model.text import Message, Text, message
from codeblue.remedy.actions import Action, Keep

LONGEST = 80
"""Characters of a step's arguments in a line."""


def outcome(action: Action, last: Record, name: str, keep: Keep) -> tuple[Event, Message]:
    """Sweep behind a step whose last event is an intent, and return what became of it.

    A half-done step is taken back where the verb does that exactly. The event is DONE or FAILED of a step
    that went forward, BACK or BACK_FAILED of one that was being taken back, else HALF_DONE. Only events of
    the journal are decided here; raises nothing that a verb is known to raise.
    """
    with suppress(Refused, OSError):
        action.sweep(last.args, name)
    going_back = last.event is Event.BACK_INTENT
    state = _state(action, last)
    if state == "before":
        text = told("{verb} {what}: was not done", "{verb} {what}：没有执行", last)
        return (Event.BACK, text) if going_back else (Event.FAILED, text)
    if state == "wanted":
        text = told("{verb} {what}: was done", "{verb} {what}：已经执行", last)
        return (Event.BACK_FAILED, text) if going_back else (Event.DONE, text)
    if last.undo is Undo.EXACT and _went_back(action, last, name, keep):
        text = told(
            "{verb} {what}: was half done, and is taken back", "{verb} {what}：只做了一半，已撤销", last
        )
        return (Event.BACK if going_back else Event.FAILED), text
    text = told(
        "{verb} {what}: may be half done; by hand: {hand}",
        "{verb} {what}：可能只做了一半；手动执行：{hand}",
        last,
        hand=_by_hand(action, last),
    )
    return Event.HALF_DONE, text


def told(en: str, zh: str, step: Record, **more: str) -> Message:
    """Return a message about a step; the templates have its ``verb`` and ``what``."""
    assert step.verb is not None
    return message(en, zh, verb=step.verb.value, what=" ".join(step.args.values())[:LONGEST], **more)


def because(head: Message, why: Message) -> Message:
    """Return both as one message, in either language; of values with one name those of ``why`` count."""
    values = {f"head_{name}": value for name, value in head.values.items()}
    places = {name: f"{{head_{name}}}" for name in head.values}
    text = Text(
        f"{head.text.en.format(**places)}: {why.text.en}", f"{head.text.zh.format(**places)}：{why.text.zh}"
    )
    return Message(text, values | why.values)


def _state(action: Action, last: Record) -> str:
    """Return ``before``, ``wanted`` or ``other``, of what the step was about to change."""
    try:
        look = action.look(last.args)
        if not look.needed:
            # Files of a package may be missing although its version is the wanted one.
            return (
                "wanted" if action.verify(last.args) and (last.before or last.undo is Undo.NONE) else "other"
            )
    except (Refused, OSError):
        return "other"
    # A service that runs looks the same before and behind its restart.
    return "before" if look.before == last.before and last.undo is not Undo.NONE else "other"


def _went_back(action: Action, last: Record, name: str, keep: Keep) -> bool:
    try:
        action.back(last.args, last.before, name, keep)
        return True
    except (Refused, OSError):
        return False


def _by_hand(action: Action, last: Record) -> str:
    try:
        return " ; ".join(shlex.join(words) for words in action.by_hand(last.args, last.before)) or "-"
    except (Refused, OSError):  # an interpreter that was half replaced may not even tell its version
        return "-"
