"""pod-patch: a change of a pod's specification; only written out."""

import json
from typing import Any

from codeblue.model.plan import Args, Refused
from codeblue.model.text import message
from codeblue.remedy.verbs.rendered import Rendered


class PodPatch(Rendered):
    """Takes ``patch``: a strategic merge patch of a pod's ``spec``, JSON or YAML."""

    form = "kubectl-patch"

    def text(self, args: Args) -> str:
        """Return the patch as YAML."""
        import yaml

        return yaml.safe_dump(read(args), sort_keys=False, allow_unicode=True)


def read(args: Args) -> dict[str, Any]:
    """Return the patch. Raises Refused if it is no mapping."""
    import yaml

    try:
        patch = yaml.safe_load(args.get("patch", ""))
        json.dumps(patch)  # what JSON cannot say, Kubernetes cannot take
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        patch = None
    if not isinstance(patch, dict) or not patch:
        raise Refused(message("the patch is no mapping of YAML or JSON", "补丁不是 YAML 或 JSON 的映射"))
    return patch
