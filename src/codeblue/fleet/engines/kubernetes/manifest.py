"""What is made in the cluster: a Secret with the probe's text, and a Job a node with few rights."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct

from codeblue.transport.remote import interpreter

TEXT = "probe.py"
FOLDER = "/codeblue"
CONTAINER = "probe"
FLAGS = ("-I", "-S", "-B")
WITHOUT_GPU = "without-gpu"
"""Told to the probe where no GPU was asked for: it is not to be blamed that there is none."""
NOBODY = 65534
"""The kernel's overflow user: owns nothing in any image."""
KEEP = 600
"""Seconds after which the cluster removes a Job that ended, should we not come to it."""
MARGIN = 30
"""Seconds beyond our own patience after which the cluster ends a Job: the pod goes, and its log with it."""
OURS = {"app.kubernetes.io/name": "codeblue", "app.kubernetes.io/managed-by": "codeblue"}
RUN = "codeblue/run"
BATCH = "codeblue/batch"
MOST = 16
"""Jobs of a batch: they are made, read and removed by one call each."""
CORDONED = "node.kubernetes.io/unschedulable"
GPU_TAINT = "nvidia.com/gpu"


class Plan(Struct, frozen=True, kw_only=True):
    """What all Jobs of one run share."""

    run: str
    """A label's value: letters, digits."""
    image: str
    seconds: int
    """In which a pod must have been placed, started and have answered."""
    tolerate: tuple[str, ...] = ()
    """Keys of taints that do not keep the pods away."""
    python: str | None = None

    @property
    def secret(self) -> str:
        """Name of the Secret."""
        return f"codeblue-{self.run}"

    def job(self, number: int) -> str:
        """Return the name of a Job, and of its pod up to the random part."""
        return f"codeblue-{self.run}-{number:05}"


class Wanted(Struct, frozen=True):
    """One node to look at."""

    number: int
    """Of the Job, in its run."""
    node: str
    batch: int
    gpus: Mapping[str, int]
    """Kinds of GPUs to ask for; empty for a look without any."""
    group: str = ""


def text_of(plan: Plan, text: str) -> dict[str, Any]:
    """Return the Secret. Not a ConfigMap: the text holds the key of the pseudonyms."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": plan.secret, "labels": {**OURS, RUN: plan.run}},
        "type": "Opaque",
        "immutable": True,
        "stringData": {TEXT: text},
    }


def job_of(plan: Plan, wanted: Wanted) -> dict[str, Any]:
    """Return the Job of one node. The scheduler places it, so that no GPU is given twice."""
    labels = {**OURS, RUN: plan.run, BATCH: str(wanted.batch)}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": plan.job(wanted.number), "labels": labels},
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": plan.seconds + MARGIN,
            "ttlSecondsAfterFinished": KEEP,
            "template": {"metadata": {"labels": labels}, "spec": _pod(plan, wanted)},
        },
    }


def _pod(plan: Plan, wanted: Wanted) -> dict[str, Any]:
    place = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [wanted.node]}]}
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 2,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": NOBODY,
            "runAsGroup": NOBODY,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "affinity": {
            "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [place]}}
        },
        "tolerations": [
            {"key": key, "operator": "Exists", "effect": "NoSchedule"} for key in (GPU_TAINT, *plan.tolerate)
        ],
        "containers": [_container(plan, wanted.gpus)],
        "volumes": [
            {"name": "text", "secret": {"secretName": plan.secret, "defaultMode": 0o444}},
            {"name": "tmp", "emptyDir": {"sizeLimit": "256Mi"}},
            {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
        ],
    }


def _container(plan: Plan, gpus: Mapping[str, int]) -> dict[str, Any]:
    asked = {name: str(count) for name, count in gpus.items()}
    variables = {"HOME": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}  # noqa: S108 - the pod's own volume
    if not gpus:
        # Many images say "all", which some runtimes obey although nothing was requested.
        variables["NVIDIA_VISIBLE_DEVICES"] = "void"
    return {
        "name": CONTAINER,
        "image": plan.image,
        "command": [*interpreter(plan.python), *FLAGS, f"{FOLDER}/{TEXT}", *(() if gpus else (WITHOUT_GPU,))],
        "env": [{"name": name, "value": value} for name, value in variables.items()],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "resources": {
            "requests": {"cpu": "100m", "memory": "256Mi", **asked},
            "limits": {"cpu": "2", "memory": "4Gi", **asked},
        },
        "volumeMounts": [
            {"name": "text", "mountPath": FOLDER, "readOnly": True},
            {"name": "shm", "mountPath": "/dev/shm"},  # noqa: S108 - likewise
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - a volume of the pod's own
        ],
    }


class _Block(yaml.SafeDumper):
    """Writes texts of many lines as they are, and everything where it stands."""

    def ignore_aliases(self, data: object) -> bool:
        """Never refer to what was written before."""
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Block.add_representer(str, _text)


def rendered(plan: Plan, text: str, wanted: Sequence[Wanted]) -> str:
    """Return all objects as YAML documents, as kubectl would be given them."""
    documents = [text_of(plan, text), *(job_of(plan, one) for one in wanted)]
    return yaml.dump_all(documents, Dumper=_Block, sort_keys=False, width=1000, explicit_start=True)
