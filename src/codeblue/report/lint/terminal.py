"""Findings for a person at a terminal: the place, the line, what is wrong."""

from rich.console import Console
from rich.text import Text as Rich

from codeblue.model.fault import Severity
from codeblue.model.lint import Finding, Linted
from codeblue.report.escape import line
from codeblue.report.lint.text import CERTAINTIES, SEVERITIES, summary

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def show(console: Console, linted: Linted, lang: str) -> None:
    """Print everything."""
    for finding in linted.findings:
        _finding(console, finding, lang)
    for words in summary(linted, lang):
        console.print(Rich(words), soft_wrap=True)


def _finding(console: Console, one: Finding, lang: str) -> None:
    place = one.place
    head = Rich()
    head.append(f"{line(one.path)}:{place.line}:{place.column} ", "bold")
    head.append(SEVERITIES[one.severity].say(lang), STYLES[one.severity])
    head.append(f" {one.fault}", "dim")
    console.print(head, soft_wrap=True)
    console.print(_code(one, console.width), overflow="crop", no_wrap=True)
    console.print(
        Rich(f"      {CERTAINTIES[one.certainty].say(lang)}{line(one.message.say(lang))}"), soft_wrap=True
    )
    if one.fix:
        console.print(Rich(f"      → {line(one.fix.summary.say(lang))}", "green"), soft_wrap=True)
    console.print()


def _code(one: Finding, width: int) -> Rich:
    """Return the line of a finding, as far as it fits, with the place underlined."""
    number = f"{one.place.line:>5} │ "
    room = max(20, width - len(number) - 1)
    shown = "".join(char if char.isprintable() else " " for char in one.line)
    start = one.place.column - 1
    end = one.place.end_column - 1 if one.place.end_line == one.place.line else len(shown)
    begin = max(0, min(end + 8, len(shown)) - room) if end > room else 0
    begin = min(begin, start)
    code = Rich()
    code.append(number, "dim")
    code.append(shown[begin : begin + room])
    at = len(number) + start - begin
    code.stylize(STYLES[one.severity] + " underline", at, at + max(1, end - start))
    return code
