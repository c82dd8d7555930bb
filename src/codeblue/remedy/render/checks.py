"""Shell tests that a machine is still as the preview saw it."""

import json
import shlex
from collections.abc import Callable, Iterator

from codeblue.model.plan import PlannedStep
from codeblue.model.remedy import Verb

VERSION = (
    "import sys; from importlib import metadata as m\n"
    "try: print(m.version(sys.argv[1]))\n"
    "except m.PackageNotFoundError: print()"
)
RPM = ("dnf", "zypper")
VERSIONS = "%|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}\\n"


def checks(step: PlannedStep) -> list[str]:
    """Return shell commands that succeed if the machine is as previewed; empty if none can tell."""
    find = CHECKS.get(step.verb)
    return list(find(step)) if find else []


def _equal(command: str, value: str) -> str:
    return f'[ "$({command})" = {shlex.quote(value)} ]'


def _mode(step: PlannedStep) -> Iterator[str]:
    if "mode" in step.before:
        path = shlex.quote(step.args["path"])
        yield f'[ "$(stat -c %a -- {path})" = {shlex.quote(step.before["mode"].lstrip("0") or "0")} ]'


def _file(step: PlannedStep) -> Iterator[str]:
    for one in files(step):
        yield content(one["path"], one["before"])


def files(step: PlannedStep) -> list[dict[str, str]]:
    """Return path, SHA-256 before and after of each file that a step changes."""
    found: list[dict[str, str]] = json.loads(step.before.get("files", "[]"))
    return found


def content(path: str, digest: str) -> str:
    """Return the test that a file has this SHA-256; an empty one that there is none."""
    quoted = shlex.quote(path)
    return _equal(f"sha256sum < {quoted} | cut -d ' ' -f 1", digest) if digest else f"[ ! -e {quoted} ]"


def _renamed(step: PlannedStep) -> Iterator[str]:
    path = shlex.quote(step.args["path"])
    yield f"[ -e {path} ] && [ ! -e {path}.away ]"


def _setting(step: PlannedStep) -> Iterator[str]:
    name = shlex.quote(step.args["name"])
    if "value" in step.before:
        yield _equal(f"sysctl -n -- {name}", step.before["value"])


def _module(step: PlannedStep) -> Iterator[str]:
    yield f"[ ! -d /sys/module/{shlex.quote(step.args['module'].replace('-', '_'))} ]"


def _start(step: PlannedStep) -> Iterator[str]:
    yield f"! systemctl is-active --quiet {shlex.quote(step.args['service'])}"


def _runs(step: PlannedStep) -> Iterator[str]:
    yield f"systemctl is-active --quiet {shlex.quote(step.args['service'])}"


def _not_enabled(step: PlannedStep) -> Iterator[str]:
    yield f"! systemctl is-enabled --quiet {shlex.quote(step.args['service'])}"


def _package(step: PlannedStep) -> Iterator[str]:
    for name, (old, _) in json.loads(step.before.get("changes", "{}")).items():
        quoted = shlex.quote(name)
        if step.before.get("manager") in RPM:
            query = f"rpm -q --quiet {quoted} && rpm -q --qf '{VERSIONS}' {quoted} | tail -1 || true"
        else:
            query = f"dpkg-query -W -f '${{Version}}' {quoted} 2>/dev/null || true"
        yield _equal(query, old)


def _held(step: PlannedStep) -> Iterator[str]:
    if step.before.get("manager") in RPM:
        return  # their lists of locks have no form that a script could compare
    held = step.verb is Verb.PACKAGE_UNHOLD
    name = shlex.quote(step.args["package"])
    yield _equal(f"apt-mark showhold {name}", step.args["package"] if held else "")


def _distributions(step: PlannedStep) -> Iterator[str]:
    ask = f"{shlex.quote(step.args['python'])} -E -c {shlex.quote(VERSION)}"
    for name, (old, _) in json.loads(step.before.get("changes", "{}")).items():
        yield _equal(f"{ask} {shlex.quote(name)}", old)


def _group(step: PlannedStep) -> Iterator[str]:
    user, group = shlex.quote(step.args["user"]), shlex.quote(step.args["group"])
    yield f"! id -nG -- {user} | tr ' ' '\\n' | grep -qxF -- {group}"


def _process(step: PlannedStep) -> Iterator[str]:
    stat = shlex.quote(f"/proc/{step.args['pid']}/stat")
    yield _equal(f"sed 's/.*) //' {stat} | cut -d ' ' -f 20", step.args["started"])


def _size(step: PlannedStep) -> Iterator[str]:
    path = shlex.quote(step.args.get("path", "/dev/shm"))  # noqa: S108 - the mount itself
    if "size" in step.before:
        yield _equal(f"findmnt -bno SIZE -- {path} | tr -d ' '", step.before["size"])


Check = Callable[[PlannedStep], Iterator[str]]

CHECKS: dict[Verb, Check] = {
    Verb.NODE_MODE: _mode,
    Verb.FILE_MODE: _mode,
    Verb.FILE_RENAME: _renamed,
    Verb.FILE_EDIT: _file,
    Verb.FILE_WRITE: _file,
    Verb.ENV_SET: _file,
    Verb.ENV_UNSET: _file,
    Verb.LIMIT_RAISE: _file,
    Verb.KERNELSPEC_PYTHON: _file,
    Verb.KERNEL_PARAMETER: _file,
    Verb.SYSCTL_SET: _setting,
    Verb.MODULE_LOAD: _module,
    Verb.SERVICE_START: _start,
    Verb.SERVICE_RELOAD: _runs,
    Verb.SERVICE_ENABLE: _not_enabled,
    Verb.PACKAGE_INSTALL: _package,
    Verb.PACKAGE_HOLD: _held,
    Verb.PACKAGE_UNHOLD: _held,
    Verb.PIP_INSTALL: _distributions,
    Verb.PIP_REINSTALL: _distributions,
    Verb.PIP_UNINSTALL: _distributions,
    Verb.GROUP_JOIN: _group,
    Verb.PROCESS_STOP: _process,
    Verb.SHM_RESIZE: _size,
}
