"""JUnit XML: a test case for each file, failed where something is wrong."""

from collections.abc import Iterator
from html import escape

from codeblue.model.lint import Finding, Linted
from codeblue.report.escape import line, plain
from codeblue.report.lint.text import heading


def render(linted: Linted, lang: str) -> str:
    """Return one suite."""
    by_path: dict[str, list[Finding]] = {}
    for one in linted.findings:
        by_path.setdefault(one.path, []).append(one)
    count = len(linted.files.keys() | by_path.keys()) + len(linted.left)
    sums = f'tests="{count}" failures="{len(by_path)}" errors="{len(linted.left)}"'
    head = f'<testsuite name="codeblue lint" {sums}>'
    body = [*_failed(by_path, lang), *_unread(linted, lang), *_passed(linted, by_path)]
    return "\n".join(('<?xml version="1.0" encoding="utf-8"?>', head, *body, "</testsuite>")) + "\n"


def _failed(by_path: dict[str, list[Finding]], lang: str) -> Iterator[str]:
    for path, findings in by_path.items():
        lines = "\n".join(heading(one, lang) for one in findings)
        short = findings[0].message.say(lang)
        yield f"  <testcase classname={_value(path)} name={_value(path)}>"
        yield f"    <failure message={_value(short)}>{_text(lines)}</failure>"
        yield "  </testcase>"


def _unread(linted: Linted, lang: str) -> Iterator[str]:
    for left in linted.left:
        yield f"  <testcase classname={_value(left.path)} name={_value(left.path)}>"
        yield f"    <error message={_value(left.why.say(lang))}/>"
        yield "  </testcase>"


def _passed(linted: Linted, by_path: dict[str, list[Finding]]) -> Iterator[str]:
    for path in linted.files:
        if path not in by_path:
            yield f"  <testcase classname={_value(path)} name={_value(path)}/>"


def _value(text: str) -> str:
    """Return an attribute's value in its quotes; line ends would be lost in it."""
    return f'"{escape(line(text))}"'


def _text(text: str) -> str:
    return escape(plain(text), quote=False)
