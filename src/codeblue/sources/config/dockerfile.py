"""Dockerfiles to stages, steps and scripts."""

import re
from collections.abc import Iterator

from codeblue.model.config.docker import Dockerfile, Stage, Step
from codeblue.model.config.image import Image
from codeblue.model.config.place import TOP, Place, Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Script
from codeblue.model.text import message
from codeblue.sources.config import installs, shell
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.manifests import stages
from codeblue.sources.manifests.dockerfile import Instruction, expand, scan

PAIR = re.compile(r"([A-Za-z_][\w.-]*)=(\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:\\.|[^\s\"'\\])*)")
INSTRUCTIONS = re.compile(
    r"(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL"
    r"|USER|VOLUME|WORKDIR)$"
)


def read(source: Source) -> Iterator[object]:
    """Yield the file, its base images, its variables and its scripts. Raises Broken."""
    instructions = scan(source.text)
    unknown = next((one for one in instructions if not INSTRUCTIONS.match(one.name)), None)
    if unknown is not None and unknown.name.startswith(("{", "<%", "@@")):
        raise Template(message("a template: fill it in first", "这是模板：请先填充"))
    if unknown is not None:
        raise Broken(
            _start(unknown), message("{name} is no instruction", "没有 {name} 这条指令", name=unknown.name)
        )
    found = stages.split(instructions, {})
    if not found:
        raise Broken(TOP, message("no FROM in it", "其中没有 FROM"))
    built: list[Stage] = []
    for number, one in enumerate(found):
        built.append(_stage(source, number, one, built, instructions))
    file = Dockerfile(stages=tuple(built))
    yield file
    for stage in built:
        if not stage.parent and stage.base.text.lower() != stages.NOTHING:
            yield stage.base
        yield stage.settings
        yield from stage.scripts
    yield from installs.of_image(source, file.line_of(file.last)[-1].base)


def _stage(
    source: Source, number: int, one: stages.Stage, before: list[Stage], all_: list[Instruction]
) -> Stage:
    name = one.name or str(number)
    known = {k: v for step in all_[: all_.index(one.begin)] if step.name == "ARG" for k, v in _argument(step)}
    inherited = before[one.parent].settings.settings if one.parent is not None else ()
    steps: list[Step] = []
    settings: list[Setting] = []
    scripts: list[Script] = []
    arguments: dict[str, str] = {}
    for step in one.steps:
        if step.name == "ARG":
            arguments |= stages.argument(step.value, arguments, known)
        elif step.name == "ENV":
            settings += _settings(step, name, arguments)
            arguments |= {s.name: s.value for s in settings if s.value is not None}
        elif step.name == "RUN":
            scripts += _scripts(source, step, name)
        steps.append(_step(step, arguments))
    return Stage(
        name=name,
        base=_image(one, number),
        parent=before[one.parent].name if one.parent is not None else "",
        steps=tuple(steps),
        settings=Settings(owner=f"stage {name}", settings=(*inherited, *settings)),
        scripts=tuple(scripts),
    )


def _argument(step: Instruction) -> Iterator[tuple[str, str]]:
    yield from stages.argument(step.value, {}, {}).items()


def _image(one: stages.Stage, number: int) -> Image:
    written = one.begin.value.split()
    line, column = one.begin.place(0)
    width = len(written[0]) if written else 0
    return Image(
        text=one.base,
        place=Place(line, column, line, column + width),
        owner=f"stage {one.name or number}",
        builds=True,
    )


def _step(one: Instruction, arguments: dict[str, str]) -> Step:
    line, column = one.place(0)
    first = one.value.split("\n", 1)[0]
    value = one.value if one.name == "RUN" else expand(one.value, arguments)
    return Step(
        name=one.name,
        value=value,
        flags=one.flags,
        place=Place(*one.span),
        value_place=Place(line, column, line, column + len(first)),
    )


def _settings(one: Instruction, owner: str, arguments: dict[str, str]) -> Iterator[Setting]:
    pairs = list(PAIR.finditer(one.value))
    if not pairs or pairs[0].start() != 0:
        name, _, value = one.value.partition(" ")
        yield _setting(one, owner, arguments, (0, len(name)), (len(one.value) - len(value), len(one.value)))
        return
    for found in pairs:
        yield _setting(one, owner, arguments, found.span(1), found.span(2))


def _setting(
    one: Instruction, owner: str, arguments: dict[str, str], name: tuple[int, int], value: tuple[int, int]
) -> Setting:
    filled = expand(shell.unquoted(one.value[value[0] : value[1]].strip()), arguments)
    return Setting(
        name=one.value[name[0] : name[1]],
        value=filled if "$" not in filled else None,
        written=filled,
        place=_span(one, *name),
        value_place=_span(one, *value),
        owner=f"stage {owner}",
    )


def _span(one: Instruction, start: int, end: int) -> Place:
    line, column = one.place(start)
    last_line, last_column = one.place(max(start, end - 1))
    return Place(line, column, last_line, last_column + (1 if end > start else 0))


def _start(one: Instruction) -> Place:
    line, column = one.span[:2]
    return Place(line, column, line, column + len(one.name))


def _scripts(source: Source, one: Instruction, owner: str) -> Iterator[Script]:
    """Yield what a shell gets: heredocs, or the line itself; a JSON list goes to no shell."""
    if one.value.startswith("["):
        return
    marks = [(mark[0], mark[1], mark[2]) for mark in one.marks]
    bodies = [body for body in one.heredocs if body.text.strip()]
    plain = one.value.split("<<", 1)[0].strip() if bodies else one.value
    if plain:
        line = Source(source.name, one.value if not bodies else plain, marks)
        yield shell.script(line, f"stage {owner}")
    for body in bodies if not plain or plain in ("bash", "sh") else ():
        lines = [0, *(found.end() for found in re.finditer("\n", body.text))]
        at = [(offset, body.line + number, 1) for number, offset in enumerate(lines)]
        yield shell.script(Source(source.name, body.text, at), f"stage {owner}")
