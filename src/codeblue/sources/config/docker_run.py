"""``docker run`` and ``podman run`` in shell text."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.config.container import ContainerRun, Gpus
from codeblue.model.config.image import Image
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Command, Script, Word

PROGRAMS = ("docker", "podman", "nvidia-docker", "nerdctl")
VERBS = ("run", "create")
ALONE = frozenset(
    {
        "--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init", 
        "--interactive",
        "--no-healthcheck", "--no-hosts", "--oom-kill-disable", "--passwd", "--privileged", "--publish-all",
        "--quiet", "--read-only", "--read-only-tmpfs", "--replace", "--rm", "--rmi", "--sig-proxy",
        "--tls-verify", "--tty", "--unsetenv-all", "--use-api-socket",
    }
)  # fmt: skip
"""Options without a value, of both programs."""
LETTERS = "ditPq"
"""Short ones."""
MANY = ("--env", "--volume", "--device", "--ulimit", "--cap-add", "--mount", "--gpus")
SHORT = {"-e": "--env", "-v": "--volume"}
CDI = re.compile(r"nvidia\.com/gpu=(.+)")
ASSIGNED = re.compile(r"([A-Za-z_][\w.]*)(?:=(.*))?", re.DOTALL)


def runs(script: Script) -> Iterator[ContainerRun]:
    """Yield the containers that a script starts."""
    for command in script.commands:
        words = _behind_verb(command)
        if words:
            yield _run(command, words)


def _behind_verb(command: Command) -> Sequence[Word]:
    """Return the words behind ``run``; none of another command."""
    if command.name not in PROGRAMS:
        return ()
    skipped = 2 if command.starts(command.name, "container") else 1
    rest = command.words[skipped:]
    return rest[1:] if rest and rest[0].text in VERBS else ()


def _run(command: Command, words: Sequence[Word]) -> ContainerRun:
    program = "podman" if command.name == "podman" else "docker"
    owner = f"{command.name} run"
    told, rest, is_open = _options(words)
    one = {name: values[-1] for name, values in told.items()}
    runtime = one.get("--runtime")
    if command.name == "nvidia-docker":
        runtime = runtime or Word(text="nvidia", place=command.words[0].place)
    entry = [one["--entrypoint"]] if "--entrypoint" in one else []
    return ContainerRun(
        owner=owner,
        place=command.words[0].place,
        program=program,
        image=Image(text=rest[0].text, place=rest[0].place, owner=owner) if rest and not is_open else None,
        settings=Settings(owner=owner, settings=tuple(_settings(told.get("--env", []), owner))),
        gpus=tuple(_gpus(told)),
        runtime=runtime,
        shm=one.get("--shm-size"),
        ipc=one.get("--ipc"),
        privileged=one.get("--privileged"),
        ulimits={word.text.partition("=")[0]: _value(word) for word in told.get("--ulimit", [])},
        capabilities=tuple(told.get("--cap-add", [])),
        volumes=(*told.get("--volume", []), *told.get("--mount", [])),
        devices=tuple(told.get("--device", [])),
        command=(*entry, *rest[1:]),
        open=is_open,
    )


def _options(words: Sequence[Word]) -> tuple[dict[str, list[Word]], Sequence[Word], bool]:
    """Return the options with their values, the words from the image on, and whether some are hidden."""
    told: dict[str, list[Word]] = {}
    hidden = False
    at = 0
    while at < len(words):
        word = words[at]
        if word.text.startswith("$") or word.text.startswith("`"):
            # An image or more options: what is behind it cannot be told apart.
            hidden = True
            if not (at + 1 < len(words) and words[at + 1].text.startswith("-")):
                return told, (), True
            at += 1
            continue
        if not word.text.startswith("-") or word.text == "-":
            return told, words[at:], hidden
        name, value, used = _option(words, at)
        told.setdefault(name, []).append(value)
        at += used
    return told, (), hidden


def _option(words: Sequence[Word], at: int) -> tuple[str, Word, int]:
    """Return an option's long name, its value (itself, if it has none), and how many words it takes."""
    word = words[at]
    name, sep, _ = word.text.partition("=")
    following = words[at + 1] if at + 1 < len(words) else word
    if word.text.startswith("--"):
        if sep:
            return name, _value(word), 1
        return (name, word, 1) if name in ALONE else (name, following, 2)
    letters = word.text[1:]
    taken = next((n for n, letter in enumerate(letters) if letter not in LETTERS), None)
    if taken is None:
        return word.text, word, 1
    name = f"-{letters[taken]}"
    rest = letters[taken + 1 :]
    if rest:
        return SHORT.get(name, name), _cut(word, len(word.text) - len(rest)), 1
    return SHORT.get(name, name), following, 2


def _value(word: Word) -> Word:
    return _cut(word, word.text.find("=") + 1)


def _cut(word: Word, at: int) -> Word:
    return Word(text=word.text[at:], place=word.place)


def _settings(words: Sequence[Word], owner: str) -> Iterator[Setting]:
    for word in words:
        found = ASSIGNED.fullmatch(word.text)
        if found:
            known = found[2] is not None and word.literal
            yield Setting(
                name=found[1],
                value=found[2] if known else None,
                written=found[2] or "",
                place=word.place,
                owner=owner,
            )


def _gpus(told: dict[str, list[Word]]) -> Iterator[Gpus]:
    for word in told.get("--gpus", []):
        yield gpus_of(word)
    for word in told.get("--device", []):
        if found := CDI.fullmatch(word.text):
            yield of_cdi(word, found[1])


def gpus_of(word: Word) -> Gpus:
    """Return what the value of ``--gpus`` asks for: ``all``, a number, ``device=0,1`` in own quotes."""
    text = word.text.strip("\"'")
    found = re.search(r"device=([^\"']+)", text)
    if found and "$" not in text:
        return Gpus(place=word.place, ids=tuple(found[1].split(",")))
    return Gpus(place=word.place, count=int(text) if text.isdecimal() and len(text) < 6 else None)


def of_cdi(word: Word, name: str) -> Gpus:
    """Return what the name of a CDI device asks for."""
    return Gpus(place=word.place, ids=() if name == "all" or "$" in name else (name,))
