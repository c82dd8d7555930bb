"""What a container or pod is to be started with, as a step says it."""

import json
import shlex
from typing import Any

from codeblue.model.plan import Args, Refused
from codeblue.model.text import message


def flags(args: Args) -> list[str]:
    """Return the options of a container as a list. Raises Refused if they cannot be split or are none."""
    try:
        words = shlex.split(args.get("flags", ""))
    except ValueError:
        words = []
    if not words or not words[0].startswith("-"):
        raise Refused(
            message(
                "these are no options of a container: {flags}",
                "这些不是容器的启动选项：{flags}",
                flags=repr(args.get("flags", "")),
            )
        )
    return words


def patch(args: Args) -> dict[str, Any]:
    """Return the strategic merge patch of a pod's ``spec``. Raises Refused if it is no mapping."""
    import yaml

    try:
        found = yaml.safe_load(args.get("patch", ""))
        json.dumps(found)  # what JSON cannot say, Kubernetes cannot take
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not found:
        raise Refused(message("the patch is no mapping of YAML or JSON", "补丁不是 YAML 或 JSON 的映射"))
    return found
