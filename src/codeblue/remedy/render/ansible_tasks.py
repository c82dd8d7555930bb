"""Each verb as a task of Ansible: module, its values, and when it counts as a change."""

import re
import shlex
from collections.abc import Callable
from typing import Any

from codeblue.model.plan import PlannedStep
from codeblue.model.remedy import Verb
from codeblue.remedy.render.differences import differences
from codeblue.remedy.shell import argv

Body = dict[str, Any]

APT = 'ansible_facts["pkg_mgr"] == "apt"'
DNF = 'ansible_facts["pkg_mgr"] in ["dnf", "dnf5"]'

STATES = {
    Verb.SERVICE_START: "started",
    Verb.SERVICE_RESTART: "restarted",
    Verb.SERVICE_RELOAD: "reloaded",
}


def bodies(step: PlannedStep) -> list[Body]:
    """Return the tasks of a step without name and rights; empty if Ansible cannot do it. Raises Refused."""
    return TASKS.get(step.verb, _command)(step)


def _module(name: str, values: Body, **more: Any) -> Body:
    return {f"ansible.builtin.{name}": values, **more}


def _command(step: PlannedStep) -> list[Body]:
    patches = [_patched(path, text) for path, text in differences(step.shows)]
    words = argv(step)
    return patches or ([_module("command", {"argv": words}, changed_when=True)] if words else [])


def _patched(path: str, difference: str) -> Body:
    words = ["patch", "--fuzz=0", "--forward", "--", path]
    return _module("command", {"argv": words, "stdin": difference}, changed_when=True)


def _file_write(step: PlannedStep) -> list[Body]:
    mode = step.args.get("mode", "0644")
    return [_module("copy", {"dest": step.args["path"], "content": step.args["content"], "mode": mode})]


def _file_mode(step: PlannedStep) -> list[Body]:
    return [_module("file", {"path": step.args["path"], "mode": step.args["mode"]})]


def _file_owner(step: PlannedStep) -> list[Body]:
    values = {"path": step.args["path"], "owner": step.args["user"], "group": step.args["group"]}
    return [_module("file", values)]


def _file_rename(step: PlannedStep) -> list[Body]:
    path = step.args["path"]
    values = {"argv": ["mv", "-n", "--", path, f"{path}.away"], "creates": f"{path}.away"}
    return [_module("command", values)]


def _variable(step: PlannedStep) -> list[Body]:
    name = step.args["name"]
    found = next((path for path, _ in differences(step.shows)), "~/.profile")
    values: Body = {
        "path": step.args.get("file", found),
        "regexp": rf"^\s*(export\s+)?{re.escape(name)}=",
    }
    if step.verb is Verb.ENV_UNSET:
        return [_module("lineinfile", values | {"state": "absent"})]
    line = f"export {name}={shlex.quote(step.args['value'])}"
    return [_module("lineinfile", values | {"line": line, "create": True})]


def _service(step: PlannedStep) -> list[Body]:
    return [_module("service", {"name": step.args["service"], "state": STATES[step.verb]})]


def _enabled(step: PlannedStep) -> list[Body]:
    return [_module("service", {"name": step.args["service"], "enabled": True})]


def _module_load(step: PlannedStep) -> list[Body]:
    made = f"/sys/module/{step.args['module'].replace('-', '_')}"
    return [_module("command", {"argv": argv(step), "creates": made})]


def _group(step: PlannedStep) -> list[Body]:
    values = {"name": step.args["user"], "groups": [step.args["group"]], "append": True}
    return [_module("user", values)]


def _package(step: PlannedStep) -> list[Body]:
    package, version = step.args["package"], step.args.get("version", "")
    pinned = [f"{package}{sign}{version}" if version else package for sign in "=-"]
    apt = {"name": [pinned[0]], "state": "present", "allow_downgrade": bool(version)}
    dnf = {"name": [pinned[1]], "state": "present", "allow_downgrade": bool(version)}
    return [_module("apt", apt, when=APT), _module("dnf", dnf, when=DNF)]


def _hold(step: PlannedStep) -> list[Body]:
    on = step.verb is Verb.PACKAGE_HOLD
    package = step.args["package"]
    apt = {"name": package, "selection": "hold" if on else "install"}
    dnf = {"argv": ["dnf", "versionlock", "add" if on else "delete", package]}
    return [
        _module("dpkg_selections", apt, when=APT),
        _module("command", dnf, when=DNF, changed_when=True),
    ]


def _pip(step: PlannedStep) -> list[Body]:
    told = "Successfully uninstalled" if step.verb is Verb.PIP_UNINSTALL else "Successfully installed"
    return [
        _module("command", {"argv": argv(step)}, register="pip", changed_when=f"'{told}' in pip.stdout"),
    ]


TASKS: dict[Verb, Callable[[PlannedStep], list[Body]]] = {
    Verb.FILE_WRITE: _file_write,
    Verb.FILE_MODE: _file_mode,
    Verb.NODE_MODE: _file_mode,
    Verb.FILE_OWNER: _file_owner,
    Verb.FILE_RENAME: _file_rename,
    Verb.ENV_SET: _variable,
    Verb.ENV_UNSET: _variable,
    Verb.SERVICE_START: _service,
    Verb.SERVICE_RESTART: _service,
    Verb.SERVICE_RELOAD: _service,
    Verb.SERVICE_ENABLE: _enabled,
    Verb.MODULE_LOAD: _module_load,
    Verb.GROUP_JOIN: _group,
    Verb.PACKAGE_INSTALL: _package,
    Verb.PACKAGE_HOLD: _hold,
    Verb.PACKAGE_UNHOLD: _hold,
    Verb.PIP_INSTALL: _pip,
    Verb.PIP_REINSTALL: _pip,
    Verb.PIP_UNINSTALL: _pip,
}
