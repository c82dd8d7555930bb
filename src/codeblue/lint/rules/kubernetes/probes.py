"""Probes that end a server before it has loaded its model."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

SHORT, SAFE = 60, 180
"""Seconds: hardly any model is there after the one, most are after the other."""
DEFAULTS = {"initialDelaySeconds": 0, "periodSeconds": 10, "failureThreshold": 3}
"""Of the API, in seconds and tries."""


@rule("liveness-probe-kills-slow-start")
def servers_may_load(pod: Pod) -> Iterator[Problem]:
    """A container with GPUs is killed when its liveness probe has failed often enough from the start."""
    for container in pod.running:
        probe = container.root.get("livenessProbe")
        if probe is None or not container.gpus or container.root.get("startupProbe") is not None:
            continue
        # A command looks at what its author wants, mostly not at a port that opens late.
        patience = None if probe.get("exec") is not None else _patience(probe)
        key = container.root.key("livenessProbe")
        assert key is not None
        if patience is not None and patience < SAFE:
            yield Problem(
                place=key.place,
                message=message(
                    "container {name} is killed if it does not answer {seconds} s after its start, "
                    "and there is no startupProbe: loading a model takes longer",
                    "容器 {name} 启动 {seconds} 秒后还没应答就会被杀，又没有 startupProbe：加载模型往往更久",
                    name=container.name,
                    seconds=patience,
                ),
                certainty=Certainty.LIKELY if patience < SHORT else Certainty.POSSIBLE,
                severity=None if patience < SHORT else Severity.NOTE,
            )


def _patience(probe: Node) -> int | None:
    """Return the seconds from the start to the last try; None if they are filled in later."""
    numbers = {}
    for field, default in DEFAULTS.items():
        node = probe.get(field)
        if node is not None and not node.text.isdigit():
            return None
        numbers[field] = int(node.text) if node is not None else default
    tries = numbers["failureThreshold"] - 1
    return numbers["initialDelaySeconds"] + max(tries, 0) * numbers["periodSeconds"]


RULES = (servers_may_load,)
