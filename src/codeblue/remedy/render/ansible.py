"""A plan as a playbook of Ansible, with modules that ansible-core itself has."""

import re
from typing import Any

import yaml

from codeblue.model.plan import Plan, PlannedStep, Refused
from codeblue.model.remedy import Risk, Verb
from codeblue.remedy.render.ansible_tasks import bodies
from codeblue.remedy.render.texts import HUMAN, about, head, not_here, why

Task = dict[str, Any]

TEMPLATE = re.compile(r"\{[{%#]")
BY_ANSIBLE = frozenset(("when", "changed_when"))
"""Keys whose values are expressions of our own."""

OUTSIDE = HUMAN | {Verb.CONTAINER_FLAGS, Verb.POD_PATCH, Verb.KERNELSPEC_PYTHON}
"""Told as messages: no task does them."""


class Unsafe(str):
    """Text that Ansible must not take for a template."""


class _Dumper(yaml.SafeDumper):
    """Writes such text with the tag by which Ansible knows it."""


_Dumper.add_representer(Unsafe, lambda dumper, text: dumper.represent_scalar("!unsafe", str(text), style='"'))


def render(plan: Plan, lang: str, hosts: str = "localhost") -> str:
    """Return the playbook as YAML for these hosts; names and messages are in ``lang``."""
    tasks = [
        task
        for item in plan.items
        for step in item.steps
        for task in _tasks(step, f"{about(item, lang)}: {why(step, lang)}", lang)
    ]
    play = {"name": f"codeblue {plan.codeblue}", "hosts": hosts, "gather_facts": True, "tasks": tasks}
    body = yaml.dump([_safe(play)], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return "\n".join(head(plan, lang)) + "\n" + body


def _tasks(step: PlannedStep, name: str, lang: str) -> list[Task]:
    try:
        found = [] if step.verb in OUTSIDE or step.risk is Risk.HUMAN else bodies(step)
        told = why(step, lang) if step.verb in HUMAN else not_here(step, lang)
    except Refused as refused:
        found, told = [], refused.line.say(lang)
    become = {"become": True} if step.root else {}
    tasks = [{"name": name, **body, **become} for body in found]
    return tasks or [{"name": name, "ansible.builtin.debug": {"msg": told}}]


def _safe(value: Any, key: str = "") -> Any:
    """Return the value with every text that looks like a template marked as none."""
    if isinstance(value, dict):
        return {name: _safe(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_safe(one) for one in value]
    if isinstance(value, str) and key not in BY_ANSIBLE and TEMPLATE.search(value):
        return Unsafe(value)
    return value
