"""Text that a program fills in before a shell sees it, replaced by variables of the same length."""

import re

from codeblue.model.config.place import Source

JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
GROOVY = re.compile(r"\$\{[^{}\n]*\}")
GITHUB = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)


def blanked(source: Source, pattern: re.Pattern[str]) -> Source:
    """Return the text with a shell variable for every value, and blanks for statements and comments."""
    if not pattern.search(source.text):
        return source
    return source.filled(pattern.sub(_blank, source.text))


def _blank(found: re.Match[str]) -> str:
    text = found[0]
    # A statement makes no text of its own; a value is at least `{{}}` and as long as a variable.
    plain = " " * len(text) if text.startswith(("{%", "{#")) else "$" + "_" * (len(text) - 1)
    return "".join("\n" if sign == "\n" else blank for sign, blank in zip(text, plain, strict=True))
