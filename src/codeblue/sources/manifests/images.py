"""What a Dockerfile says: base image, Python, variables, and what its commands install."""

import json
import re

from codeblue.sources.manifests import installs, stages
from codeblue.sources.manifests.copies import Copies
from codeblue.sources.manifests.dockerfile import Instruction, expand, scan
from codeblue.sources.manifests.files import File, refuse
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.shell_words import Word, commands

PYTHON = re.compile(r"(?:^|[/:-])python:?(\d+\.\d+(?:\.\d+)?)(?![\d.])")
"""``python:3.11-slim``, ``uv:python3.12-bookworm``."""
SHIELD = str.maketrans({mark: chr(0xE000 + number) for number, mark in enumerate(";&|()<>#")})
"""Stand-ins for the marks of the shell that mean nothing in ENV."""
UNSHIELD = {stand_in: chr(mark) for mark, stand_in in ((k, ord(v)) for k, v in SHIELD.items())}
INDEXES = {
    "PIP_INDEX_URL": "index",
    "UV_INDEX_URL": "index",
    "UV_DEFAULT_INDEX": "index",
    "PIP_EXTRA_INDEX_URL": "extra-index",
    "UV_EXTRA_INDEX_URL": "extra-index",
    "UV_INDEX": "extra-index",
    "PIP_FIND_LINKS": "find-links",
    "UV_FIND_LINKS": "find-links",
}
MOST = 5000
"""Instructions of one file."""
LONGEST = 1 << 20
"""Characters of commands read in one instruction."""


def read(file: File, into: Gathered) -> None:
    """Read the stages that the last one is made of. Raises Unusable if there is none."""
    instructions = scan(file.text)
    if len(instructions) > MOST:
        into.left(
            file.place(instructions[MOST].span.line),
            "only the first {most} instructions are read",
            "只读取前 {most} 条指令",
            most=MOST,
        )
        instructions = instructions[:MOST]
    architecture = "arm64" if into.machine == "aarch64" else "amd64"
    given = {"TARGETARCH": architecture, "TARGETOS": "linux", "TARGETPLATFORM": f"linux/{architecture}"}
    given |= {"BUILDPLATFORM": given["TARGETPLATFORM"], "BUILDARCH": architecture}
    found = stages.split(instructions, given)
    if not found:
        refuse(file.name, "no FROM in it: not a Dockerfile", "其中没有 FROM：不是 Dockerfile")
    globals_ = _globals(instructions, given)
    last = stages.chain(found, len(found) - 1)
    _base(found[last[0]], file, into)
    environments: dict[int, dict[str, str]] = {}
    for number in stages.needed(found):
        stage = found[number]
        inherited = environments.get(stage.parent, {}) if stage.parent is not None else {}
        build = _Build(file, into, given, globals_, dict(inherited), number in last)
        for step in stage.steps:
            build.step(step)
        environments[number] = build.environment


def _globals(instructions: list[Instruction], given: dict[str, str]) -> dict[str, str]:
    found = dict(given)
    for one in instructions:
        if one.name == "FROM":
            break
        if one.name == "ARG":
            found |= stages.argument(one.value, found, {})
    return found


def _base(stage: stages.Stage, file: File, into: Gathered) -> None:
    origin = file.place(stage.begin.span.line)
    platform = stage.begin.flag("platform")
    if platform and "$" not in platform:
        into.for_machine(platform, origin)
    if any(mark in stage.base for mark in "${"):
        into.left(
            origin,
            "the image '{image}' needs an argument of the build",
            "镜像 '{image}' 需要构建时给出的参数",
            image=stage.base,
        )
    elif stage.base.lower() != stages.NOTHING:
        into.image(stage.base, origin)
        python = PYTHON.search(stage.base)
        into.python(python[1] if python else "", origin)


class _Build:
    """Goes through the steps of one stage with its variables."""

    def __init__(
        self,
        file: File,
        into: Gathered,
        given: dict[str, str],
        globals_: dict[str, str],
        environment: dict[str, str],
        in_image: bool,
    ) -> None:
        self._file = file
        self._into = into
        self._globals = globals_
        self._in_image = in_image
        self._arguments = dict(given)
        self._copies = Copies(file.folder)
        self.environment = environment

    def step(self, one: Instruction) -> None:
        if one.name == "ARG":
            told = stages.argument(one.value, self._known(), self._globals)
            self._arguments |= told
            for name, value in told.items():
                self._index(name, value, self._file.place(one.span.line))
        elif one.name == "ENV":
            self._env(one)
        elif one.name == "WORKDIR":
            self._copies.enter(expand(one.value.strip("\"'"), self._known()))
        elif one.name in ("COPY", "ADD") and not one.flag("from"):
            self._copies.add(one, self._known())
        elif one.name == "RUN":
            self._run(one)

    def _known(self) -> dict[str, str]:
        return {**self._arguments, **self.environment}

    def _env(self, one: Instruction) -> None:
        for name, value, offset in _pairs(one.value):
            origin = self._file.place(one.place(offset)[0])
            told = expand(value, self._known())
            self.environment[name] = told
            if self._in_image:
                self._into.variable(name, told, origin)
            self._index(name, told, origin)

    def _index(self, name: str, value: str, origin: str) -> None:
        """Keep the indexes in a variable that pip or uv reads; uv also writes NAME=URL."""
        for url in value.split() if name in INDEXES and "$" not in value else ():
            self._into.index(re.sub(r"^[\w-]+=(?=\w+://)", "", url), origin, INDEXES[name])

    def _run(self, one: Instruction) -> None:
        self._copies.mounted(one)
        run = installs.Run(self._into, self._copies, self._known())
        if one.value.startswith("["):
            origin = self._file.place(one.span.line)
            run.command([Word(word, 0, False) for word in _exec_form(one.value)], lambda _: origin)
            return
        programs = []
        for words in commands(one.value[:LONGEST]):
            programs.append(words[0].text)
            run.command(words, lambda offset: self._file.place(one.place(offset)[0]))
        # What another program reads is not commands.
        if all(installs.SHELLS.match(program) for program in programs):
            for heredoc in one.heredocs:
                run.script(heredoc.text[:LONGEST], self._file.name, heredoc.line)


def _exec_form(text: str) -> list[str]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [word for word in told if isinstance(word, str)] if isinstance(told, list) else []


def _pairs(text: str) -> list[tuple[str, str, int]]:
    """Return names, values and offsets of an ENV: ``A=1 B="2 3"``, or ``A 2 3`` as it once was written."""
    name, _, rest = text.partition(" ")
    if "=" not in name:
        return [(name, rest.strip(), 0)] if rest.strip() else []
    words = next(commands(text.translate(SHIELD)), [])
    parts = [(word.text.translate(UNSHIELD).partition("="), word.offset) for word in words]
    return [(name, value, offset) for (name, sep, value), offset in parts if sep]
