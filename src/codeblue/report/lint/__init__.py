"""What lint found, in the forms that people and programs read."""

from collections.abc import Callable

from codeblue.model.lint import Linted
from codeblue.report.lint import github, json, junit, sarif, text

FORMS: dict[str, Callable[[Linted, str], str]] = {
    "json": json.render,
    "sarif": sarif.render,
    "github": github.render,
    "junit": junit.render,
    "text": text.render,
}
"""Result and language to a whole text."""
