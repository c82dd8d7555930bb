"""Reasons for Slurm's administrator: commands that say why a node should be drained. Nothing runs them."""

from collections.abc import Sequence

from codeblue.model.fault import Certainty
from codeblue.model.fleet import Judged, Role, Run, Shared
from codeblue.model.layers import DEPTH, Layer
from codeblue.model.node_sets import fold
from codeblue.model.text import Text

DEEPEST = DEPTH[Layer.LIBRARIES]
"""What lies above is a job's or a user's own affair: no reason to drain a node."""
NONE = Text("# no node has a fault that is a reason to drain it\n", "# 没有节点存在需要下线的故障\n")


def render(run: Run, nodes: Sequence[Judged], found: Sequence[Shared], lang: str) -> str:
    """Return one ``scontrol`` command for each cause that concerns the node itself."""
    lines = [
        f"scontrol update NodeName={fold(one.nodes)} State=DRAIN Reason='codeblue: {one.fault} ({run.id})'\n"
        for one in found
        if one.role is Role.CAUSE
        and one.certainty is not Certainty.POSSIBLE
        and one.layer is not None
        and DEPTH[one.layer] <= DEEPEST
    ]
    return "".join(lines) or NONE.say(lang)
