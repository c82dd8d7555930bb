"""A plan as a strategic merge patch for a workload of Kubernetes: ``kubectl patch --patch-file``."""

import re
from typing import Any

import yaml

from codeblue.model.plan import Plan, PlannedStep, Refused
from codeblue.model.remedy import Verb
from codeblue.remedy import launching
from codeblue.remedy.render.texts import about, comments, head, not_here, why

SHARED = "/dev/shm"  # noqa: S108 - the mount itself
VOLUME = "shared-memory"
SUFFIXES = {"": "", "k": "Ki", "m": "Mi", "g": "Gi", "t": "Ti"}
SIZE = re.compile(r"(\d+)([kmgt]?)", re.I)

Mapping = dict[str, Any]


def render(plan: Plan, lang: str, container: str = "main", pod: bool = False) -> str:
    """Return the patch as YAML for the container of that name; comments are in ``lang``.

    It is for a Deployment, Job or other workload with a pod template, or with ``pod`` for a bare pod.
    What cannot be said in a patch is listed in comments.
    """
    lines = head(plan, lang)
    spec: Mapping = {}
    for item in plan.items:
        lines += comments(f"== {about(item, lang)}")
        for step in item.steps:
            lines += comments(why(step, lang))
            try:
                part = _part(step, container)
            except Refused as refused:
                lines += comments(refused.line.say(lang))
                continue
            if part is None:
                lines += comments(not_here(step, lang))
            else:
                spec = _merged(spec, part)
    patch = {"spec": spec} if pod else {"spec": {"template": {"spec": spec}}}
    body = yaml.safe_dump(patch, sort_keys=False, allow_unicode=True) if spec else "{}\n"
    return "\n".join(lines) + "\n" + body


def _part(step: PlannedStep, container: str) -> Mapping | None:
    """Return what a step changes of a pod's specification, None if it is not the pod's."""
    if step.verb is Verb.POD_PATCH:
        return launching.patch(step.args)
    if step.verb is Verb.ENV_SET:
        variable = {"name": step.args["name"], "value": step.args["value"]}
        return {"containers": [{"name": container, "env": [variable]}]}
    if step.verb is Verb.ENV_UNSET:
        variable = {"name": step.args["name"], "$patch": "delete"}
        return {"containers": [{"name": container, "env": [variable]}]}
    if step.verb is Verb.SHM_RESIZE and step.args.get("path", SHARED) == SHARED:
        mount = {"name": VOLUME, "mountPath": SHARED}
        memory: Mapping = {"medium": "Memory"}
        if found := SIZE.match(step.args["size"]):
            memory["sizeLimit"] = found.group(1) + SUFFIXES[found.group(2).lower()]
        return {
            "containers": [{"name": container, "volumeMounts": [mount]}],
            "volumes": [{"name": VOLUME, "emptyDir": memory}],
        }
    return None


def _merged(old: Any, new: Any) -> Any:
    """Return both patches as one: mappings by key, lists by the name of their rows."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old | {key: _merged(old[key], value) if key in old else value for key, value in new.items()}
    if isinstance(old, list) and isinstance(new, list):
        rows = list(old)
        for row in new:
            name = row.get("name") if isinstance(row, dict) else None
            same = [
                at
                for at, one in enumerate(rows)
                if name and isinstance(one, dict) and one.get("name") == name
            ]
            if same:
                rows[same[0]] = _merged(rows[same[0]], row)
            else:
                rows.append(row)
        return rows
    return new
