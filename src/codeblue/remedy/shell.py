"""A step as the command that a person would type."""

import shlex
from collections.abc import Mapping

from codeblue.model.remedy import Step, Verb

ROOT = "sudo"

TEMPLATES: dict[Verb, tuple[str, ...]] = {
    Verb.NODE_MODE: (ROOT, "chmod", "{mode}", "{path}"),
    Verb.NODES_CREATE: (ROOT, "nvidia-modprobe", "-u", "-c", "0"),
    Verb.GROUP_JOIN: (ROOT, "usermod", "-aG", "{group}", "{user}"),
    Verb.ENV_SET: ("export", "{name}={value}"),
    Verb.ENV_UNSET: ("unset", "{name}"),
    Verb.MODULE_LOAD: (ROOT, "modprobe", "{module}"),
    Verb.SERVICE_START: (ROOT, "systemctl", "start", "{service}"),
    Verb.PIP_INSTALL: ("{python}", "-m", "pip", "install", "{requirement}"),
    Verb.PIP_REINSTALL: (
        "{python}",
        "-m",
        "pip",
        "install",
        "--force-reinstall",
        "--no-deps",
        "{requirement}",
    ),
    Verb.PIP_UNINSTALL: ("{python}", "-m", "pip", "uninstall", "{distribution}"),
    Verb.SHM_RESIZE: (ROOT, "mount", "-o", "remount,size={size}", "/dev/shm"),  # noqa: S108 - the mount itself
    Verb.LIMIT_RAISE: ("ulimit", "{flag}", "{value}"),
    Verb.FILE_RENAME: ("mv", "{path}", "{path}.away"),
    Verb.LDCONFIG: (ROOT, "ldconfig"),
    Verb.PROCESS_STOP: ("kill", "{pid}"),
    Verb.REBOOT: (ROOT, "reboot"),
}

ARGUMENTS: dict[Verb, frozenset[str]] = {
    verb: frozenset(
        word[start + 1 : word.index("}", start)]
        for word in words
        for start in range(len(word))
        if word[start] == "{"
    )
    for verb, words in TEMPLATES.items()
} | {Verb.INSTRUCT: frozenset()}
"""What each verb must be given; ``index`` is an option of pip-install."""


def command(step: Step) -> str | None:
    """Return the shell command of a step, quoted; None if it is an instruction for a person."""
    return typed(step.verb, step.args)


def typed(verb: Verb, args: Mapping[str, str]) -> str | None:
    """Return the shell command of a verb with these arguments, quoted; None if there is none."""
    words = TEMPLATES.get(verb)
    if words is None:
        return None
    filled = [_filled(word, args) for word in words]
    if verb is Verb.PIP_INSTALL and "index" in args:
        filled += ["--index-url", args["index"]]
    return " ".join(_quoted(word) for word in filled)


def _quoted(word: str) -> str:
    name, equals, value = word.partition("=")
    if equals and name.isidentifier():
        return f"{name}={shlex.quote(value)}"
    return shlex.quote(word)


def _filled(word: str, args: Mapping[str, str]) -> str:
    for name, value in args.items():
        word = word.replace(f"{{{name}}}", value)
    return word
