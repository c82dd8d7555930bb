"""Where pods may go, and whether they find each other there."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import words
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

GPU_NODES = re.compile(
    r"nvidia\.com/(?:gpu|mig|cuda)\b|gke-accelerator\b|/accelerator$|^accelerator$|gpu-type|gpu\.product"
)
"""Labels that only nodes with GPUs have."""
TAINT = "nvidia.com/gpu"
HOSTS = ("MASTER_ADDR", "RAY_ADDRESS", "RAY_HEAD_IP", "PET_MASTER_ADDR", "PET_RDZV_ENDPOINT")
OPTION = re.compile(r"--(?:master[-_]addr|rdzv[-_]endpoint)(?:=(\S+))?$")
NAME = re.compile(r"(?:[a-z]+://)?([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*)(?::[0-9]+)?$")
OWN = re.compile(r"localhost$")


@rule("gpu-node-taint-not-tolerated", pedantic=True)
def taints_are_tolerated(pod: Pod) -> Iterator[Problem]:
    """A pod that wants a GPU node without asking for a GPU gets no toleration from the cluster."""
    label = _label(pod.spec)
    if label is None or any(container.gpus for container in pod.containers):
        return
    tolerated = pod.spec.each("tolerations")
    if not any(one.say("key") in ("", TAINT) or "gpu" in one.say("key") for one in tolerated):
        yield Problem(
            place=label.place,
            message=message(
                "{label} picks GPU nodes, which mostly carry the taint {taint}; the pod does not tolerate it",
                "{label} 选的是 GPU 节点，这类节点多半带有污点 {taint}，而 pod 没有容忍它",
                label=label.text,
                taint=TAINT,
            ),
            certainty=Certainty.POSSIBLE,
            severity=Severity.WARNING,
        )


def _label(spec: Node) -> Node | None:
    selector = spec.get("nodeSelector")
    labels = [key for key, _ in selector.pairs] if selector else []
    required = spec.get("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in required.each("nodeSelectorTerms") if required else []:
        labels += [
            node
            for one in term.each("matchExpressions")
            if one.say("operator") in ("In", "Exists") and (node := one.get("key")) is not None
        ]
    return next((label for label in labels if GPU_NODES.search(label.text)), None)


@rule("rendezvous-host-not-resolvable")
def cluster_names_resolve(pod: Pod) -> Iterator[Problem]:
    """With the node's network a pod asks the node's name server, which knows no Service."""
    key = pod.spec.key("hostNetwork")
    if key is None or pod.spec.say("hostNetwork") != "true" or pod.spec.get("dnsConfig") is not None:
        return
    if pod.spec.say("dnsPolicy") == "ClusterFirstWithHostNet":
        return
    for container in pod.running:
        host = next((name for name in _hosts(container) if not OWN.match(name)), None)
        if host is not None:
            yield Problem(
                place=key.place,
                variant="host-network",
                message=message(
                    "with hostNetwork the name {host} is not looked up in the cluster: "
                    "dnsPolicy is not ClusterFirstWithHostNet",
                    "用了 hostNetwork，名字 {host} 不会在集群里解析：dnsPolicy 不是 ClusterFirstWithHostNet",
                    host=host,
                ),
                certainty=Certainty.LIKELY,
                fix=_policy(pod, key),
            )
            return


def _policy(pod: Pod, key: Node) -> Fix | None:
    summary = message("write dnsPolicy: ClusterFirstWithHostNet", "写上 dnsPolicy: ClusterFirstWithHostNet")
    given = pod.spec.get("dnsPolicy")
    if given is not None:
        return Fix(summary, (Edit(given.place, "ClusterFirstWithHostNet"),))
    if pod.spec.style == "flow":
        return None
    pad = " " * (key.place.column - 1)
    return Fix(summary, (Edit(key.place.start, f"dnsPolicy: ClusterFirstWithHostNet\n{pad}"),))


@rule("rendezvous-host-not-resolvable")
def indexed_pods_have_names(pod: Pod) -> Iterator[Problem]:
    """Pods of a Job get a name in DNS only through ``subdomain`` and a headless Service."""
    root = pod.owner.root
    if (
        pod.owner.kind != "Job"
        or root.say("spec", "completionMode") != "Indexed"
        or pod.spec.get("subdomain")
    ):
        return
    for container in pod.running:
        for host in _hosts(container):
            if pod.owner.name and re.match(rf"{re.escape(pod.owner.name)}-0(?:\.|$)", host):
                place = pod.spec.get("containers")
                key = pod.spec.key("containers")
                assert place is not None and key is not None
                yield Problem(
                    place=key.place,
                    variant="subdomain",
                    message=message(
                        "{host} has no entry in DNS: the pods have no subdomain",
                        "{host} 在 DNS 里没有记录：pod 没有写 subdomain",
                        host=host,
                    ),
                    certainty=Certainty.LIKELY,
                )
                return


def _hosts(container: Container) -> Iterator[str]:
    """Yield names of hosts at which ranks meet, without port."""
    given = [one.value or "" for one in container.settings.settings if one.name in HOSTS]
    line = words(container)
    for number, word in enumerate(line):
        if (found := OPTION.match(word.text)) is not None:
            given.append(found[1] or (line[number + 1].text if number + 1 < len(line) else ""))
    for text in given:
        if (name := NAME.match(text)) is not None:
            yield name[1]


@rule("rolling-update-needs-spare-gpus", pedantic=True)
def updates_find_gpus(pod: Pod) -> Iterator[Problem]:
    """The new pod starts beside the old one, and needs GPUs that the old one still holds."""
    strategy = pod.owner.root.get("spec", "strategy")
    surge = pod.owner.root.say("spec", "strategy", "rollingUpdate", "maxSurge")
    if pod.owner.kind != "Deployment" or surge in ("0", "0%"):
        return
    if strategy is not None and strategy.say("type") == "Recreate":
        return
    asks = next((container for container in pod.running if container.gpus), None)
    if asks is not None:
        yield Problem(
            place=asks.gpus[0].place,
            message=message(
                "an update of the Deployment starts a new pod before the old one lets go of its GPUs",
                "更新 Deployment 时，旧 pod 释放 GPU 之前就会先启动新 pod",
            ),
            certainty=Certainty.POSSIBLE,
            severity=Severity.NOTE,
        )


RULES = (
    taints_are_tolerated,
    cluster_names_resolve,
    indexed_pods_have_names,
    updates_find_gpus,
)
