"""What a remedy asks for, and what its verbs make of it on a temporary tree."""

from pathlib import Path

from codeblue.model.finding import Finding
from codeblue.model.plan import Look
from codeblue.model.remedy import Step, Verb
from codeblue.model.snapshot import Snapshot
from codeblue.remedy.registry import ACTIONS
from codeblue.remedy.shell import command
from tests.conftest import judge

Asked = list[tuple[Verb, dict[str, str]]]


def only(fault: str, snapshot: Snapshot) -> Finding:
    """Return the one finding of a fault."""
    [finding] = judge(fault, snapshot).findings
    return finding


def asked(finding: Finding) -> Asked:
    """Return verbs and arguments of its remedy; each has a command, unless it is an instruction."""
    assert finding.remedy is not None
    for step in finding.remedy.steps:
        assert (command(step) is None) is (step.verb is Verb.INSTRUCT)
    return [(step.verb, step.args) for step in finding.remedy.steps]


def verbs(finding: Finding) -> list[Verb]:
    """Return the verbs of its remedy."""
    return [verb for verb, _ in asked(finding)]


def look(step: Step, folder: Path, content: str | None = None) -> Look:
    """Return what a verb of files sees if its path lies in ``folder``, with this content."""
    path = folder / Path(step.args["path"]).name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    return ACTIONS[step.verb].look(step.args | {"path": str(path)})
