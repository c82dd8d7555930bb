"""The same check after a change: is the fault gone, and did nothing new break?"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from codeblue.cli import fixing
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Certainty, Kind
from codeblue.model.plan import PlanItem
from codeblue.model.remedy import Verb
from codeblue.model.text import Message, message
from codeblue.remedy.executor import Checked
from codeblue.sources.target import Unusable

SURE = (Certainty.CERTAIN, Certainty.LIKELY)


class Again:
    """Checks the target anew and compares with what was found before the change."""

    def __init__(self, where: fixing.Where, before: Diagnosis) -> None:
        self._where = where
        self._before = _troubles(before)

    def check(self, item: PlanItem) -> Checked:
        """Return whether the fault remains, and which troubles are new."""
        try:
            with _as_in_new_shells(item):
                snapshot = fixing.fresh(self._where)
        except Unusable as unusable:  # the change may be why, and has to be taken back then
            return Checked(True, unseen=unusable.line)
        after = fixing.diagnosed(snapshot, self._where)
        skipped = next((one.reason for one in after.skipped if one.fault == item.fault), None)
        if skipped is not None:
            return Checked(True, unseen=_not_judged(skipped))
        found = {(one.fault, one.subject) for one in fixing.findings(after)}
        new = _troubles(after) - self._before - {item.fault}
        return Checked((item.fault, item.subject) in found, tuple(sorted(new)))


def _not_judged(reason: str) -> Message:
    return message("whether it helped cannot be told: {reason}", "无法判断是否有效：{reason}", reason=reason)


def _troubles(diagnosis: Diagnosis) -> set[str]:
    return {
        one.fault for one in fixing.causes(diagnosis) if one.kind is Kind.TROUBLE and one.certainty in SURE
    }


@contextmanager
def _as_in_new_shells(item: PlanItem) -> Iterator[None]:
    """Give this process the variables that new shells have after the change, for the check to inherit."""
    before = dict(os.environ)
    for step in item.steps:
        if step.verb is Verb.ENV_SET:
            os.environ[step.args["name"]] = step.args["value"]
        elif step.verb is Verb.ENV_UNSET:
            os.environ.pop(step.args["name"], None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
