"""Findings for a person at a terminal: the place, the line, what is wrong."""

from rich.console import Console
from rich.text import Text as Rich

from codeblue.model.fault import Severity
from codeblue.model.lint import Finding, Linted
from codeblue.report.escape import line
from codeblue.report.lint.text import CERTAINTIES, SEVERITIES, summary

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
WIDEST = 160
"""Characters of a line that are shown."""


def show(console: Console, linted: Linted, lang: str) -> None:
    """Print everything."""
    for finding in linted.findings:
        _finding(console, finding, lang)
    for words in summary(linted, lang):
        console.print(Rich(words), soft_wrap=True)


def _finding(console: Console, one: Finding, lang: str) -> None:
    place = one.place
    head = Rich(f"{line(one.path)}:{place.line}:{place.column} ", "bold")
    head.append(SEVERITIES[one.severity].say(lang), STYLES[one.severity])
    head.append(f" {one.fault}", "dim")
    console.print(head, soft_wrap=True)
    number = f"{place.line:>5} │ "
    begin = max(0, place.column - WIDEST // 2)
    shown = one.line[begin : begin + WIDEST]
    width = (
        place.end_column - place.column if place.end_line == place.line else len(one.line) - place.column + 1
    )
    code = Rich(number, "dim")
    code.append("".join(c if c.isprintable() else " " for c in shown))
    from_column = len(number) + place.column - 1 - begin
    code.stylize(STYLES[one.severity] + " underline", from_column, from_column + max(1, width))
    console.print(code, overflow="ellipsis", no_wrap=True)
    console.print(
        Rich(f"      {CERTAINTIES[one.certainty].say(lang)}{line(one.message.say(lang))}"), soft_wrap=True
    )
    if one.fix:
        console.print(Rich(f"      → {line(one.fix.summary.say(lang))}", "green"), soft_wrap=True)
    console.print()
