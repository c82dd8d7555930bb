"""A step as the command that a person would type."""

import json
import re
import shlex

from codeblue.model.plan import PlannedStep
from codeblue.model.remedy import Step, Verb
from codeblue.remedy import launching

ROOT = "sudo"

TEMPLATES: dict[Verb, tuple[str, ...]] = {
    Verb.NODE_MODE: (ROOT, "chmod", "{mode}", "{path}"),
    Verb.NODES_CREATE: (ROOT, "nvidia-modprobe", "-u", "-c", "0"),
    Verb.GROUP_JOIN: (ROOT, "usermod", "-aG", "{group}", "{user}"),
    Verb.ENV_SET: ("export", "{name}={value}"),
    Verb.ENV_UNSET: ("unset", "{name}"),
    Verb.MODULE_LOAD: (ROOT, "modprobe", "{module}"),
    Verb.SERVICE_START: (ROOT, "systemctl", "start", "{service}"),
    Verb.SERVICE_RESTART: (ROOT, "systemctl", "restart", "{service}"),
    Verb.SERVICE_RELOAD: (ROOT, "systemctl", "reload", "{service}"),
    Verb.SERVICE_ENABLE: (ROOT, "systemctl", "enable", "{service}"),
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
    Verb.SHM_RESIZE: (ROOT, "mount", "-o", "remount,size={size}", "{path}"),
    Verb.SYSCTL_SET: (ROOT, "sysctl", "-w", "{name}={value}"),
    Verb.LIMIT_RAISE: ("ulimit", "{flag}", "{value}"),
    Verb.FILE_RENAME: ("mv", "{path}", "{path}.away"),
    Verb.FILE_EDIT: ("sudoedit", "{path}"),
    Verb.FILE_WRITE: ("printf", "%s", "{content}", "|", ROOT, "tee", "{path}"),
    Verb.FILE_MODE: (ROOT, "chmod", "{mode}", "{path}"),
    Verb.FILE_OWNER: (ROOT, "chown", "{user}:{group}", "{path}"),
    Verb.KERNELSPEC_PYTHON: ("vi", "{path}"),
    Verb.KERNEL_PARAMETER: ("sudoedit", "/etc/default/grub", "&&", ROOT, "update-grub"),
    Verb.INITRAMFS_REBUILD: (ROOT, "update-initramfs", "-u", "-k", "{kernel}"),
    Verb.CDI_GENERATE: (ROOT, "nvidia-ctk", "cdi", "generate", "--output={path}"),
    Verb.PACKAGE_INSTALL: (ROOT, "apt-get", "install", "{package}"),
    Verb.PACKAGE_HOLD: (ROOT, "apt-mark", "hold", "{package}"),
    Verb.PACKAGE_UNHOLD: (ROOT, "apt-mark", "unhold", "{package}"),
    Verb.LDCONFIG: (ROOT, "ldconfig"),
    Verb.CACHE_CLEAN: ("rm", "-rf", "--", "{path}"),
    Verb.PROCESS_STOP: ("kill", "{pid}"),
    Verb.CONTAINER_FLAGS: ("docker", "run", "{flags}", "IMAGE"),
    Verb.POD_PATCH: ("kubectl", "patch", "deployment", "NAME", "--patch", "{patch}"),
    Verb.REBOOT: (ROOT, "reboot"),
}

OPERATORS = frozenset(("|", "&&"))
"""Words of a template that stay the shell's own."""

DEFAULTS: dict[Verb, dict[str, str]] = {Verb.SHM_RESIZE: {"path": "/dev/shm"}}  # noqa: S108 - the mount itself

ALSO: dict[Verb, tuple[str, ...]] = {
    Verb.FILE_EDIT: ("kind", "at"),
    Verb.KERNELSPEC_PYTHON: ("python",),
    Verb.KERNEL_PARAMETER: ("parameter",),
    Verb.PROCESS_STOP: ("started",),
}
"""Arguments that a verb needs and its command does not show."""

INDEXED = frozenset((Verb.PIP_INSTALL, Verb.PIP_REINSTALL))
"""Verbs that take ``index`` if it is given."""

PLACE = re.compile(r"\{(\w+)\}")

ARGUMENTS: dict[Verb, frozenset[str]] = {
    verb: frozenset(name for word in words for name in PLACE.findall(word)) - DEFAULTS.get(verb, {}).keys()
    | frozenset(ALSO.get(verb, ()))
    for verb, words in TEMPLATES.items()
} | {Verb.INSTRUCT: frozenset()}
"""What each verb must be given; ``index`` and ``version`` are options."""


UNATTENDED: dict[Verb, tuple[str, ...]] = {
    Verb.PIP_UNINSTALL: ("{python}", "-m", "pip", "uninstall", "-y", "{distribution}"),
    Verb.PACKAGE_INSTALL: (ROOT, "apt-get", "-y", "--no-remove", "install", "{package}"),
}
"""Commands that differ where nobody is there to answer."""


NATIVE: dict[str, dict[Verb, tuple[str, ...]]] = {
    "dnf": {
        Verb.PACKAGE_INSTALL: (ROOT, "dnf", "install", "{package}"),
        Verb.PACKAGE_HOLD: (ROOT, "dnf", "versionlock", "add", "{package}"),
        Verb.PACKAGE_UNHOLD: (ROOT, "dnf", "versionlock", "delete", "{package}"),
    },
    "zypper": {
        Verb.PACKAGE_INSTALL: (ROOT, "zypper", "install", "--oldpackage", "{package}"),
        Verb.PACKAGE_HOLD: (ROOT, "zypper", "addlock", "{package}"),
        Verb.PACKAGE_UNHOLD: (ROOT, "zypper", "removelock", "{package}"),
    },
    "dracut": {
        Verb.INITRAMFS_REBUILD: (ROOT, "dracut", "--force", "/boot/initramfs-{kernel}.img", "{kernel}")
    },
}
"""By the program that a plan has found on its machine; the other templates are those of Debian."""
ANSWER = {"dnf": "-y", "zypper": "--non-interactive"}
"""Option of a program that then asks nothing."""


def command(step: Step | PlannedStep, unattended: bool = False) -> str | None:
    """Return the shell command of a step, quoted; None if it is an instruction for a person.

    ``unattended`` makes it one that asks nothing. Raises Refused if the step's arguments make no command.
    """
    words = _template(step, unattended)
    if words is None:
        return None
    return " ".join(
        word if word in OPERATORS else _quoted(one) for word in words for one in _filled(step, word)
    )


def argv(step: Step | PlannedStep) -> list[str] | None:
    """Return the unattended command as a list and without sudo; None if it is none, or not a single one."""
    words = _template(step, unattended=True)
    if words is None or OPERATORS & set(words):
        return None
    filled = [one for word in words for one in _filled(step, word)]
    return filled[filled[0] == ROOT :]


def _template(step: Step | PlannedStep, unattended: bool) -> tuple[str, ...] | None:
    manager = step.before.get("manager", "") if isinstance(step, PlannedStep) else ""
    if native := NATIVE.get(manager, {}).get(step.verb):
        answer = (ANSWER[manager],) if unattended and manager in ANSWER else ()
        return (*native[:2], *answer, *native[2:])
    words = UNATTENDED.get(step.verb) if unattended else None
    words = words or TEMPLATES.get(step.verb)
    if words and step.verb in INDEXED and "index" in step.args:
        return (*words, "--index-url", "{index}")
    return words


def _filled(step: Step | PlannedStep, word: str) -> list[str]:
    args = DEFAULTS.get(step.verb, {}) | step.args
    if word == "{flags}":
        return launching.flags(args)
    if word == "{patch}":
        return [json.dumps({"spec": {"template": {"spec": launching.patch(args)}}})]
    if word == "{package}" and "version" in args:
        dnf = isinstance(step, PlannedStep) and step.before.get("manager") == "dnf"
        word = "{package}-{version}" if dnf else "{package}={version}"
    return [PLACE.sub(lambda place: args[place.group(1)], word)]


def _quoted(word: str) -> str:
    name, equals, value = word.partition("=")
    if equals and name.isidentifier():
        return f"{name}={shlex.quote(value)}"
    return shlex.quote(word)
