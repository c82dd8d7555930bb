"""From the end of a program to the reply of a node."""

import re

from codeblue.model.fleet import Listed, NodeState, Reply
from codeblue.transport.fanout import Ended

SILENT = re.compile(
    r"timed? ?out|No route to host|Connection refused|Could not resolve|unreachable", re.IGNORECASE
)
"""Words with which ssh tells that nobody is there."""


def reply(node: Listed, ended: Ended, seconds: float) -> Reply:
    """Return what a node's program came to."""
    if ended.document is not None:
        return Reply(
            node=node.name,
            state=NodeState.ANSWERED,
            document=ended.document,
            seconds=ended.seconds,
            group=node.group,
        )
    if ended.code is None:
        state, why = NodeState.SILENT, f"no answer within {seconds:g} s"
    elif SILENT.search(ended.words):
        state, why = NodeState.SILENT, ended.words
    else:
        state, why = NodeState.REFUSED, ended.words or f"ended with status {ended.code} without an answer"
    return Reply(node=node.name, state=state, why=why, seconds=ended.seconds, group=node.group)
