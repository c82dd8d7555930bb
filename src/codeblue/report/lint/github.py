"""Annotations of GitHub Actions: one workflow command a finding."""

from codeblue.model.fault import Severity
from codeblue.model.lint import Finding, Linted

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(linted: Linted, lang: str) -> str:
    """Return the commands; GitHub shows each at its line."""
    return "".join(f"{_command(one, lang)}\n" for one in linted.findings)


def _command(one: Finding, lang: str) -> str:
    place = one.place
    where = f"file={_property(one.path)},line={place.line},endLine={place.end_line},col={place.column}"
    if place.end_line == place.line:
        where += f",endColumn={place.end_column}"
    title = _property(f"codeblue {one.fault}")
    return f"::{LEVELS[one.severity]} {where},title={title}::{_data(one.message.say(lang))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
