"""A plan: remedies compared with the machine, step by step, with what each step would change."""

from msgspec import Struct

from codeblue.model.remedy import Automation, Risk, Undo, Verb
from codeblue.model.text import Message

SCHEMA = "codeblue/plan/1"

Args = dict[str, str]
"""Arguments of a step, as the rule gives them."""
Before = dict[str, str]
"""What a step found before it changed anything, as far as it is needed to compare and to go back."""


class Look(Struct, frozen=True, kw_only=True):
    """What a verb sees before it acts."""

    needed: bool
    """False where the machine is as wanted already: then there is no step."""
    shows: tuple[str, ...] = ()
    """The change, line by line, as it reads in every language: a unified diff, ``torch 2.6 -> 2.7``."""
    tells: tuple[Message, ...] = ()
    """What is to be said about it in words: ``mode 0644 -> 0666``, sizes, who judges the file."""
    before: Before = {}


class Refused(Exception):
    """A step must not or cannot be carried out, and nothing was changed by it. Carries one line."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


class PlannedStep(Struct, frozen=True, kw_only=True):
    """One step of a plan."""

    verb: Verb
    args: Args
    why: Message
    risk: Risk
    root: bool
    """True if this user cannot carry it out."""
    undo: Undo
    shows: tuple[str, ...] = ()
    tells: tuple[Message, ...] = ()
    before: Before = {}

    def preview(self, lang: str) -> list[str]:
        """Return the lines of the preview, those in words last."""
        return [*self.shows, *(told.say(lang) for told in self.tells)]


class PlanItem(Struct, frozen=True, kw_only=True):
    """The remedy of one finding."""

    fault: str
    subject: str
    summary: Message
    automation: Automation
    steps: tuple[PlannedStep, ...]

    @property
    def risk(self) -> Risk:
        """Return the greatest risk of its steps.

        A reboot that follows other steps is left to a person, who need not do those too.
        """
        order = list(Risk)
        risks = [step.risk for step in self.steps if step.verb is not Verb.REBOOT]
        if len(risks) < len(self.steps):
            risks.append(Risk.REBOOT if risks else Risk.HUMAN)
        return max(risks, key=order.index, default=Risk.SAFE)


class Plan(Struct, frozen=True, kw_only=True):
    """What would be done on one host, bound to the boot in which the evidence was seen."""

    schema: str = SCHEMA
    codeblue: str
    host: str
    """Machine id, hashed."""
    boot: str
    """Boot id, hashed."""
    made: str
    """UTC, ISO 8601."""
    expires: str | None = None
    """Last day of a temporary change."""
    items: tuple[PlanItem, ...]
    digest: str = ""
    """SHA-256 over everything else; an edited plan does not match it."""
