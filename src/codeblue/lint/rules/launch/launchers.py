"""Which commands of a script start a program that uses GPUs, and with how many processes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from codeblue.model.config.setting import Setting
from codeblue.model.config.shell import Command, Script, Word

PYTHON = re.compile(r"python[\d.]*$")
TOOLS = frozenset({"torchrun", "accelerate", "deepspeed", "horovodrun", "composer"})
MODULES = {"torch.distributed.run": "torchrun", "torch.distributed.launch": "launch"}
RUNNERS = frozenset(
    {
        "apptainer", "bash", "conda", "enroot", "exec", "micromamba", "mpiexec", "mpirun", "nsys", "ncu",
        "numactl", "pipenv", "poetry", "prun", "singularity", "srun", "taskset", "timeout", "uv",
    }
)  # fmt: skip
"""Programs whose arguments may hold the command that starts the training."""
NPROC = ("--nproc_per_node", "--nproc-per-node")
LIST = re.compile(r"\$\{?(\w+)(?:\[[@*]\])?\}?$")
OPTIONS = re.compile(r"\(?\s*-")
MOST = 200
"""Words that one variable may stand for."""
VARIABLE = re.compile(r"\$\{?(\w+)\}?$")

Assigned = dict[str, list[Setting]]


class Launch(NamedTuple):
    """A command that starts Python."""

    command: Command
    tool: str
    """``torchrun``, ``launch``, ``accelerate``, ``deepspeed``, ``python``, …"""
    at: int
    """The position of the tool among the words."""

    @property
    def before(self) -> Command:
        """What stands in front of the tool, such as ``srun -n 4``."""
        return Command(words=self.command.words[: self.at], place=self.command.place)

    @property
    def own(self) -> Command:
        """The tool and its arguments."""
        return Command(words=self.command.words[self.at :], place=self.command.place)


def launches(script: Script) -> Iterator[Launch]:
    """Yield the commands of a script that start Python programs."""
    known = assigned(script)
    for command in script.commands:
        found = launch(command)
        if found is not None:
            words = tuple(part for word in command.words for part in _filled(known, word))
            yield found if words == command.words else found._replace(command=replace(command, words=words))


def _filled(known: Assigned, word: Word) -> tuple[Word, ...]:
    """Return the words that ``$OPTIONS`` stands for, if the script says so in one place; else the word."""
    found = LIST.match(word.text)
    settings = known.get(found[1], []) if found else []
    if len(settings) != 1 or not OPTIONS.match(settings[0].written):
        return (word,)
    parts = settings[0].written.strip("()").replace("\\\n", " ").split()
    return tuple(Word(text=part, place=word.place) for part in parts[:MOST])


def launch(command: Command) -> Launch | None:
    """Return how a command starts a Python program; None if it starts none."""
    if not command.words or not (_tool(command.words, 0) or command.name in RUNNERS):
        return None
    for at in range(len(command.words)):
        if tool := _tool(command.words, at):
            return Launch(command, tool, at)
    return None


def _tool(words: tuple[Word, ...], at: int) -> str:
    name = words[at].text.rsplit("/", 1)[-1]
    following = [word.text for word in words[at + 1 : at + 3]]
    if name in TOOLS:
        return name if name != "accelerate" or following[:1] == ["launch"] else ""
    if not PYTHON.match(name):
        return ""
    if following[:1] == ["-m"] and len(following) > 1:
        if following[1] in ("pip", "venv", "ensurepip", "build", "http.server", "json.tool"):
            return ""
        return MODULES.get(following[1], "python")
    return "python" if following and following[0] not in ("-V", "--version", "-c") else ""


def assigned(script: Script) -> Assigned:
    """Return the settings of a script by their names, in order."""
    found: Assigned = {}
    for one in script.settings:
        found.setdefault(one.name, []).append(one)
    return found


def processes(known: Assigned, one: Launch) -> tuple[Word, int] | None:
    """Return how many processes a launcher starts on a node and where it says so, if that is known."""
    if one.tool in ("torchrun", "launch"):
        word = one.own.option(*NPROC)
    elif one.tool == "accelerate" and not one.own.has("--num_machines", "--num-machines"):
        word = one.own.option("--num_processes", "--num-processes")
    else:
        return None
    text = resolved(known, word.text.split("=", 1)[-1]) if word else ""
    return (word, int(text)) if word and text.isdigit() and len(text) < 4 else None


def resolved(known: Assigned, text: str) -> str:
    """Return a word with its variable filled in, if the script gives that variable one value and no other."""
    found = VARIABLE.match(text)
    settings = known.get(found[1], []) if found else []
    value = settings[0].value if len(settings) == 1 else None
    return value if value is not None else text


def set_before(known: Assigned, command: Command, name: str) -> Setting | None:
    """Return the setting of a variable that surely holds for a command."""
    own = [one for one in command.assigned if one.name == name]
    if own:
        return own[-1]
    settings = known.get(name, [])
    # More than one is mostly a choice between branches.
    return settings[0] if len(settings) == 1 and settings[0].place < command.place else None
