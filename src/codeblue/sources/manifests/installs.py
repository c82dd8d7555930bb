"""Commands that install: pip, uv, conda and their kin, inside a RUN."""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from codeblue.sources.manifests import match_spec, pip_specs, requirements, substitutions
from codeblue.sources.manifests.branches import Branches
from codeblue.sources.manifests.copies import Copies
from codeblue.sources.manifests.dockerfile import expand
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.shell_words import Word, commands

SHELLS = re.compile(r"(?:.*/)?(?:ba|da|z)?sh$")
PIP = re.compile(r"pip(?:\d(?:\.\d+)?)?$")
PYTHON = re.compile(r"python(?:\d(?:\.\d+)?)?$")
CONDA = ("conda", "mamba", "micromamba")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
APT_PYTHON = re.compile(r"python(3\.\d+)(?:-(?:dev|venv|full|minimal))?$")
BEFORE = (
    "sudo",
    "time",
    "exec",
    "nice",
    "nohup",
    "then",
    "do",
    "else",
    "if",
    "elif",
    "while",
    "until",
    "!",
    "{",
    "env",
)
"""Words that the program itself follows."""
_VALUED = """
-r --requirement -c --constraint -i --index-url --pypi-url --extra-index-url --index --default-index -f
--find-links -e --editable -t --target --platform --python-version --implementation --abi --root --prefix
--src --upgrade-strategy --no-binary --only-binary --progress-bar --config-settings -C --global-option
--proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir --log
--use-feature --report --python -p --torch-backend --index-strategy --keyring-provider --resolution
--prerelease --link-mode --exclude-newer --extra --group --override -b --build-constraint
--no-build-isolation-package --reinstall-package --upgrade-package -P
"""
VALUED = frozenset(_VALUED.split())
"""Options of ``pip install`` and ``uv pip install`` that take the next word."""
CONDA_VALUED = (
    "-n",
    "--name",
    "-p",
    "--prefix",
    "-c",
    "--channel",
    "-f",
    "--file",
    "--solver",
    "--repodata-fn",
)
FOR_INSTALLERS = ("UV_TORCH_BACKEND", "CONDA_OVERRIDE_CUDA")
"""Variables that steer an installation, though they do not stay in the image."""
INDEX_VARIABLES = ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX")
LOCKS = {
    ("uv", "sync"): "uv.lock",
    ("poetry", "install"): "poetry.lock",
    ("poetry", "sync"): "poetry.lock",
    ("pdm", "install"): "pdm.lock",
    ("pdm", "sync"): "pdm.lock",
    ("pipenv", "install"): "Pipfile.lock",
    ("pipenv", "sync"): "Pipfile.lock",
    ("pixi", "install"): "pixi.toml",
}
"""Program and verb -> the file that says what it installs."""

Place = Callable[[int], str]
"""Offset of a word -> file and line."""


class Run:
    """The commands of one RUN, with the variables that they set."""

    def __init__(self, into: Gathered, copies: Copies, variables: Mapping[str, str]) -> None:
        self._into = into
        self._copies = copies
        self._variables = dict(variables)
        self._assigned: dict[str, str] = {}
        self._branches = Branches()

    def script(self, text: str, name: str, line: int) -> None:
        """Read the commands of a text that begins on a line of the file."""
        starts = [found.start() for found in re.finditer("\n", text)]
        for words in commands(text):
            self.command(words, lambda offset: f"{name}:{line + bisect_right(starts, offset)}")

    def command(self, words: Sequence[Word], place: Place, inner: bool = False) -> None:
        """Read one command; one that installs nothing says nothing."""
        filled = [self._filled(word) for word in words]
        if not self._branches.runs(filled):
            return
        rest = self._program(filled, place)
        if not rest:
            return
        program = posixpath.basename(rest[0].text)
        if SHELLS.match(program) and not inner:
            self._inner(rest, place)
        elif program in CONDA:
            self._conda(rest[1:], place)
        elif program in ("apt-get", "apt"):
            self._apt(rest[1:], place)
        elif (program, self._verb(rest)) in LOCKS:
            self._follow(LOCKS[program, self._verb(rest)], place(rest[0].offset), False)
        elif program == "uv" and self._verb(rest) in ("python", "venv"):
            self._uv_python(rest[1:], place)
        else:
            installed = _behind_pip(program, rest, "install")
            if installed:
                self._pip(installed, place)
            self._pip_config(_behind_pip(program, rest, "config"), place)

    def _filled(self, word: Word) -> Word:
        if not word.expands or "$" not in word.text:
            return word
        return word._replace(text=substitutions.worked_out(expand(word.text, self._variables)))

    def _program(self, words: list[Word], place: Place) -> list[Word]:
        """Return the words from the program on; assignments before it are kept."""
        position = 0
        while position < len(words):
            text = words[position].text
            assigned = ASSIGNMENT.fullmatch(text)
            if assigned:
                self._variables[assigned[1]] = self._assigned[assigned[1]] = assigned[2]
                if assigned[1] in FOR_INSTALLERS:
                    self._into.variable(assigned[1], assigned[2], place(words[position].offset))
            elif text not in (*BEFORE, "export", "command") and not (position and text.startswith("-")):
                break
            position += 1
        return words[position:]

    @staticmethod
    def _verb(words: list[Word]) -> str:
        return next((word.text for word in words[1:] if not word.text.startswith("-")), "")

    def _inner(self, words: list[Word], place: Place) -> None:
        """Read the commands in the word behind ``-c``; their line is that of the word."""
        for position, word in enumerate(words[1:-1], start=1):
            if re.fullmatch(r"-[a-z]*c", word.text):
                self._at(words[position + 1], place(words[position + 1].offset))
                return

    def _at(self, script: Word, origin: str) -> None:
        for words in commands(script.text):
            self.command(words, lambda _: origin, inner=True)

    def _follow(self, path: str, origin: str, restricts: bool) -> None:
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path):
            requirements.follow(path, origin, "", self._into, restricts)
            return
        found = self._copies.find(path)
        if found is not None:
            self._into.follow(found, origin, restricts)
            return
        self._into.left(
            origin,
            "{path} is not among the files beside the Dockerfile; give it too",
            "{path} 不在 Dockerfile 旁的文件中；请一并给出",
            path=path,
        )

    def _pip(self, words: list[Word], place: Place) -> None:
        """Read the options and requirements of one ``pip install``; its index is for them alone."""
        told = list(_options(words, VALUED))
        index = next((word.text for name, word in told if requirements.INDEXES.get(name) == "index"), None)
        index = index or next(filter(None, map(self._assigned.get, INDEX_VARIABLES)), None)
        reads_files = any(name in requirements.FILES for name, _ in told)
        for name, word in told:
            origin = place(word.offset)
            if name in requirements.FILES:
                self._follow(word.text, origin, requirements.FILES[name])
            elif name in requirements.INDEXES:
                kind = requirements.INDEXES[name]
                if kind != "index" or reads_files:
                    self._into.index(word.text, origin, kind)
            elif name == "--torch-backend":
                self._into.variable("UV_TORCH_BACKEND", word.text, origin)
            elif name in requirements.EDITABLE or not name:
                self._requirement(word, origin, index)

    def _pip_config(self, words: list[Word], place: Place) -> None:
        """Read ``pip config set global.index-url URL``."""
        if len(words) == 3 and words[0].text == "set":
            kind = requirements.INDEXES.get("--" + words[1].text.rpartition(".")[2])
            if kind:
                self._into.index(words[2].text, place(words[2].offset), kind)

    def _requirement(self, word: Word, origin: str, index: str | None) -> None:
        if word.lost:
            self._into.left(
                origin,
                "the shell takes {lost} for a redirection, so {name} has no version limit; put it in quotes",
                "shell 会把 {lost} 当作重定向，{name} 因而没有版本限制；请加引号",
                lost=word.lost,
                name=word.text,
            )
        if not word.text:
            return
        if "$" in word.text or "`" in word.text:
            self._into.left(
                origin,
                "{text} is known only when the image is built",
                "{text} 的值在构建镜像时才知道",
                text=word.text,
            )
        elif re.match(r"\.{1,2}(?:/|\[|$)", word.text) and not word.text.endswith(".whl"):
            folder = word.text.partition("[")[0]
            project = posixpath.normpath(posixpath.join(folder, "pyproject.toml"))
            self._follow(project, origin, False)
        else:
            pip_specs.add(word.text, origin, self._into, index=index)

    def _conda(self, words: list[Word], place: Place) -> None:
        verbs = [word.text for word in words[:2]]
        if verbs[:1] == ["run"]:
            self.command(_behind_options(words[1:]), place, inner=True)
            return
        if verbs[:1] == ["config"]:
            self._conda_config(words[1:], place)
        skipped = 2 if verbs[:1] == ["env"] else 1
        if verbs[skipped - 1 : skipped] not in (["install"], ["create"], ["update"], ["upgrade"]):
            return
        for name, word in _options(words[skipped:], CONDA_VALUED):
            origin = place(word.offset)
            if name in ("-c", "--channel"):
                self._into.index(word.text, origin, "channel")
            elif name in ("-f", "--file"):
                self._follow(word.text, origin, False)
            elif not name and word.text not in ("--all",):
                match_spec.add(word.text + word.lost, origin, self._into)

    def _conda_config(self, words: list[Word], place: Place) -> None:
        texts = [word.text for word in words]
        for position, text in enumerate(texts[:-2]):
            if text in ("--add", "--append", "--prepend") and texts[position + 1] == "channels":
                self._into.index(texts[position + 2], place(words[position + 2].offset), "channel")

    def _uv_python(self, words: list[Word], place: Place) -> None:
        for name, word in _options(words, ("--python", "-p")):
            if name in ("", "--python", "-p") and re.fullmatch(r"\d\.\d+(?:\.\d+)?", word.text):
                self._into.python(word.text, place(word.offset))

    def _apt(self, words: list[Word], place: Place) -> None:
        if any(word.text == "install" for word in words):
            for word in words:
                found = APT_PYTHON.match(word.text)
                if found:
                    self._into.python(found[1], place(word.offset))


def _behind_pip(program: str, words: list[Word], verb: str) -> list[Word]:
    """Return the words behind pip's verb, however pip is started; none of any other command."""
    texts = [word.text for word in words]
    begin = 1
    if PYTHON.match(program) and "-m" in texts[1:6]:
        begin = texts.index("-m") + 2
        program = posixpath.basename(texts[begin - 1]) if begin <= len(texts) else ""
    if (program, texts[1:2], verb) in (("uv", ["add"], "install"), ("mim", ["install"], "install")):
        return words[2:]
    if program == "uv" and texts[1:2] == ["pip"]:
        begin, program = 2, "pip"
    if not PIP.match(program):
        return []
    # Options of pip itself may stand before it, and may have a value.
    for position in range(begin, min(len(texts), begin + 8)):
        if texts[position] == verb:
            return words[position + 1 :]
        if not texts[position].startswith("-") and not texts[position - 1].startswith("-"):
            return []
    return []


def _options(words: Sequence[Word], valued: Sequence[str] | frozenset[str]) -> Iterator[tuple[str, Word]]:
    """Yield options with the words of their values; a word that is no option has an empty name."""
    rest = iter(words)
    for word in rest:
        text = word.text
        name, sep, value = text.partition("=")
        if not text.startswith("-") or text == "-":
            yield "", word
        elif text in valued:
            yield text, next(rest, Word("", word.offset))
        elif sep and text.startswith("--"):
            yield name, word._replace(text=value)
        elif text[:2] in valued and not text.startswith("--"):
            yield text[:2], word._replace(text=text[2:].removeprefix("="))
        else:
            yield text, word


def _behind_options(words: list[Word]) -> list[Word]:
    """Return what ``conda run`` starts."""
    position = 0
    while position < len(words) and words[position].text.startswith("-"):
        position += 2 if words[position].text in CONDA_VALUED else 1
    return words[position:]
