"""pod-patch: a change of a pod's specification; only written out."""

from codeblue.model.plan import Args
from codeblue.remedy import launching
from codeblue.remedy.verbs.rendered import Rendered


class PodPatch(Rendered):
    """Takes ``patch``: a strategic merge patch of a pod's ``spec``, JSON or YAML."""

    form = "kubectl-patch"

    def text(self, args: Args) -> str:
        """Return the patch as YAML."""
        import yaml

        text: str = yaml.safe_dump(launching.patch(args), sort_keys=False, allow_unicode=True)
        return text
