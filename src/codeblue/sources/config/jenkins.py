"""Jenkinsfiles: the texts of ``sh`` steps, images and variables, found without a parser for Groovy."""

import re
from collections.abc import Iterator

from codeblue.model.config.ci import Job
from codeblue.model.config.image import Image
from codeblue.model.config.place import TOP, Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Script
from codeblue.sources.config.blanks import GROOVY, blanked
from codeblue.sources.config.ci_parts import parts, script, speaks_of_gpu

SYSTEM = "jenkins"
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    r"|'''(?P<a>(?:[^'\\]|\\.|'(?!''))*)(?:'''|\Z)|\"\"\"(?P<b>(?:[^\"\\]|\\.|\"(?!\"\"))*)(?:\"\"\"|\Z)"
    r"|'(?P<c>(?:[^'\\\n]|\\.)*)(?:'|(?=\n)|\Z)|\"(?P<d>(?:[^\"\\\n]|\\.)*)(?:\"|(?=\n)|\Z)",
    re.DOTALL,
)
"""Comments and strings; one that is not closed ends with its line or file: nothing is read twice."""
STEP = re.compile(r"(?<![\w.])sh[ \t]*\(?[ \t]*(?:\[?[ \t\n]*(?:\w+:[ \t]*\w+,\s*)*script[ \t]*:[ \t\n]*)?$")
IMAGE = re.compile(r"(?<![\w.])image[ \t]*\(?[ \t]*$")
LABEL = re.compile(r"(?<![\w.])(?:label|node)[ \t]*\(?[ \t]*$")
ASSIGNED = re.compile(r"(?:^|[{;\n])[ \t]*([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*$")
NEAR = 200
"""Characters in front of a string that tell what it is for."""


def read(source: Source) -> Iterator[object]:
    """Yield the file as one job, its scripts, images and variables."""
    scripts: list[Script] = []
    images: list[Image] = []
    variables: list[Setting] = []
    labels: list[str] = []
    for start, end, filled in _strings(source.text):
        head = source.text[max(0, start - NEAR) : start].rstrip("'\"")
        text = source.text[start:end]
        if STEP.search(head):
            lines = source.part(start, end)
            scripts.append(script(blanked(lines, GROOVY) if filled else lines, "sh", pipefail=False))
        elif LABEL.search(head):
            labels.append(text)
        elif IMAGE.search(head) and "$" not in text:
            images.append(Image(text=text, place=source.place(start, end)))
        elif found := ASSIGNED.search(head):
            at = max(0, start - NEAR) + found.start(1)
            variables.append(
                Setting(
                    name=found[1],
                    value=text if "$" not in text else None,
                    place=source.place(at, at + len(found[1])),
                    value_place=source.place(start, end),
                )
            )
    runner = " ".join(labels)
    job = Job(
        system=SYSTEM,
        name="pipeline",
        place=TOP,
        runner=runner,
        gpu=speaks_of_gpu(runner),
        image=images[0].text if images else "",
        scripts=tuple(scripts),
    )
    yield from parts(SYSTEM, [job], complete="@Library" not in source.text and "load " not in source.text)
    yield from images
    if variables:
        yield Settings(owner="pipeline", settings=tuple(variables))


def _strings(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where strings begin and end, and whether Groovy fills in variables."""
    for found in TOKEN.finditer(text):
        if found.lastgroup:
            yield *found.span(found.lastgroup), found.lastgroup in "bd"
