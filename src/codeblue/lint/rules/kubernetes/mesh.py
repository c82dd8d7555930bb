"""Proxies of a service mesh in the pods of jobs."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.jobs import TRAINING
from codeblue.model.config.kubernetes import Manifest, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

SWITCHES = {"sidecar.istio.io/inject": ("true", "false"), "linkerd.io/inject": ("enabled", "disabled")}
"""Labels and annotations, and the words for on and off."""


def _switches(root: Node, *path: str) -> Iterator[tuple[Node, Node]]:
    for kind in ("labels", "annotations"):
        table = root.get(*path, "metadata", kind)
        for key, value in table.pairs if table else ():
            if key.text in SWITCHES:
                yield key, value


@rule("service-mesh-sidecar-breaks-job")
def jobs_have_no_proxy(pod: Pod) -> Iterator[Problem]:
    """A proxy that goes on after the work keeps the job from ending, and stands between its ranks."""
    if pod.owner.kind not in TRAINING:
        return
    for key, value in _switches(pod.template):
        on, off = SWITCHES[key.text]
        if value.text == on:
            yield Problem(
                place=value.place,
                variant="injected",
                message=message(
                    "{key} puts a proxy into the pods of a {kind}: ranks may not connect, nor the job end",
                    "{key} 给 {kind} 的 pod 注入代理：rank 之间可能连不上，任务也可能不结束",
                    key=key.text,
                    kind=pod.owner.kind,
                ),
                certainty=Certainty.LIKELY,
                kind=Kind.RISK,
                severity=Severity.WARNING,
                fix=Fix(message("switch it off", "关掉它"), (Edit(value.place, f'"{off}"'),)),
            )


@rule("service-mesh-sidecar-breaks-job")
def switch_is_on_the_pods(job: Manifest) -> Iterator[Problem]:
    """The mesh looks at pods; what stands on the job itself switches nothing off."""
    if job.kind not in TRAINING:
        return
    inside = {key.text for node in job.root.walk() for key, _ in _switches(node, "template")}
    for key, value in _switches(job.root):
        if value.text == SWITCHES[key.text][1] and key.text not in inside:
            yield Problem(
                place=key.place,
                variant="on-the-job",
                message=message(
                    "{key} stands on the {kind}; the mesh reads it on the pod template only",
                    "{key} 写在 {kind} 上；网格只看 pod 模板上的",
                    key=key.text,
                    kind=job.kind,
                ),
                certainty=Certainty.LIKELY,
                kind=Kind.RISK,
                severity=Severity.WARNING,
            )


RULES = (jobs_have_no_proxy, switch_is_on_the_pods)
